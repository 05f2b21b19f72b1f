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
  private final Optional<Identity> instances;
  private final Optional<Identity> network;
  private final Map<Asked, CallResult<Boolean>> trials;

  /** {@code instances} and {@code network} are who was refused, where that is known. */
  PermissionFindings(
      String region,
      Optional<Identity> instances,
      Optional<Identity> network,
      Map<Asked, CallResult<Boolean>> trials) {
    this.region = region;
    this.instances = instances;
    this.network = network;
    this.trials = trials;
  }

  /** In the order of the trials. */
  List<Finding> all() {
    List<Finding> all = new ArrayList<>();
    trials.forEach((asked, result) -> all.add(permission(asked, result)));
    return all;
  }

  /** Where both accounts must grant it, that of the network is told apart. */
  private String subject(Asked asked) {
    boolean ofBoth =
        asked.isOfNetwork() && trials.containsKey(Asked.ofInstances(asked.operation()));
    return "ec2:" + asked.operation().action() + (ofBoth ? " of the network's account" : "");
  }

  private Finding permission(Asked asked, CallResult<Boolean> result) {
    Ec2Operation operation = asked.operation();
    String subject = subject(asked);
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
        (asked.isOfNetwork() ? network : instances)
            .map(identity -> "refused to " + identity.arn())
            .orElse("refused"),
        "Add the statement to the policy of the role.",
        Optional.of(Permissions.statement(operation, region)));
  }

  private boolean otherGroupReadGranted(Ec2Operation operation) {
    return trials.entrySet().stream()
        .filter(each -> each.getKey().operation() != operation)
        .filter(each -> Permissions.isGroupRead(each.getKey().operation()))
        .anyMatch(
            each ->
                each.getValue()
                    .match(
                        done -> true,
                        failure -> failure.condition().equals(Ec2Condition.PERMITTED)));
  }
}
