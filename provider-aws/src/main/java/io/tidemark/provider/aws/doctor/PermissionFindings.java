package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.Ec2Clients.Identity;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which of EC2's permissions we have, by how their trials ended. */
final class PermissionFindings {
  static final String PERMISSION = "permission";

  private final String region;
  private final Optional<Identity> account;
  private final Map<Ec2Operation, CallResult<Boolean>> trials;

  /** {@code account} is who was refused, where that is known. */
  PermissionFindings(
      String region, Optional<Identity> account, Map<Ec2Operation, CallResult<Boolean>> trials) {
    this.region = region;
    this.account = account;
    this.trials = trials;
  }

  /** In the order of the trials. */
  List<Finding> all() {
    List<Finding> all = new ArrayList<>();
    trials.forEach((operation, result) -> all.add(permission(operation, result)));
    return all;
  }

  private Finding permission(Ec2Operation operation, CallResult<Boolean> result) {
    String subject = "ec2:" + operation.action();
    if (Report.wasDone(result)) {
      return Finding.of(
          PERMISSION, subject, Verdict.GRANTED, "answered; the endpoint knows no dry runs", "");
    }
    Failure failure = ((CallResult.Failed<Boolean>) result).failure();
    if (failure.condition().equals(Ec2Condition.PERMITTED)) {
      return Finding.of(PERMISSION, subject, Verdict.GRANTED, "", "");
    }
    if (failure.condition().equals(Ec2Condition.ENI_GONE)) {
      return Finding.of(
          PERMISSION,
          subject,
          Verdict.UNDECIDABLE,
          "EC2 has no dry run of it; on an interface that does not exist it was not refused",
          "");
    }
    if (!failure.condition().equals(Ec2Condition.UNAUTHORIZED)) {
      return Finding.of(PERMISSION, subject, Verdict.UNDECIDABLE, FailureWords.detail(failure), "");
    }
    if (operation == Ec2Operation.CREATE_NETWORK_INTERFACE
        && failure.detail().contains("ec2:CreateTags")) {
      return Finding.of(
          PERMISSION, subject, Verdict.UNDECIDABLE, "its tags are refused, see ec2:CreateTags", "");
    }
    if (Permissions.isGroupRead(operation) && otherGroupReadGranted(operation)) {
      return Finding.of(
          PERMISSION, subject, Verdict.OK, "missing, and not needed: the other one is there", "");
    }
    return new Finding(
        PERMISSION,
        subject,
        Verdict.MISSING,
        account.map(identity -> "refused to " + identity.arn()).orElse("refused"),
        "Add the statement to the policy of the role.",
        Optional.of(Permissions.statement(operation, region)));
  }

  private boolean otherGroupReadGranted(Ec2Operation operation) {
    return trials.entrySet().stream()
        .filter(each -> each.getKey() != operation && Permissions.isGroupRead(each.getKey()))
        .anyMatch(
            each ->
                each.getValue()
                    .match(
                        done -> true,
                        failure -> failure.condition().equals(Ec2Condition.PERMITTED)));
  }
}
