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
import java.util.Optional;

/**
 * Which of EC2's permissions we have, by how their probes ended.
 *
 * @param instances as whom the instances' account knows us
 * @param network as whom the network's does
 */
record AwsPermissionFindings(
    String region, CallResult<Identity> instances, CallResult<Identity> network, Report.Work work) {
  static final String PERMISSION = "permission";

  /** In the order of the probes. */
  List<Finding> all() {
    List<Finding> all = new ArrayList<>();
    work.probes().forEach((asked, result) -> all.add(permission(asked, result)));
    return all;
  }

  /** Where both accounts must grant it, that of the network is told apart. */
  private String subject(Asked asked) {
    boolean ofBoth =
        asked.ofNetwork() && work.probes().containsKey(new Asked(asked.operation(), false));
    return asked.operation().iamAction() + (ofBoth ? " of the network's account" : "");
  }

  private static Finding found(String subject, Verdict verdict, String detail) {
    return Finding.of(PERMISSION, subject, verdict, detail, "");
  }

  private Finding permission(Asked asked, CallResult<Boolean> result) {
    String subject = subject(asked);
    return result.match(
        done -> found(subject, Verdict.GRANTED, "answered; the endpoint knows no dry runs"),
        failure ->
            switch (Ec2Condition.of(failure)) {
              case PERMITTED -> found(subject, Verdict.GRANTED, "");
              case ENI_GONE ->
                  found(
                      subject,
                      Verdict.UNDECIDABLE,
                      "EC2 has no dry run of it; on an interface that does not exist it was not"
                          + " refused");
              case UNAUTHORIZED -> refused(asked, subject, failure);
              default -> FailureWords.undecided(PERMISSION, subject, failure);
            });
  }

  private Finding refused(Asked asked, String subject, Failure failure) {
    Ec2Operation operation = asked.operation();
    if (operation == Ec2Operation.CREATE_NETWORK_INTERFACE
        && failure.detail().contains(Ec2Operation.CREATE_TAGS.iamAction())) {
      return found(subject, Verdict.UNDECIDABLE, "its tags are refused, see ec2:CreateTags");
    }
    if (Permissions.isGroupRead(operation) && otherGroupReadGranted(operation)) {
      return found(subject, Verdict.OK, "missing; not needed, because the other one is granted");
    }
    String refused =
        (asked.ofNetwork() ? network : instances)
            .match(identity -> "refused to " + identity.arn(), unknown -> "refused");
    if (work.uncertain().contains(asked)) {
      return Finding.of(
          PERMISSION,
          subject,
          Verdict.UNDECIDABLE,
          refused + "; needed where pods use the interfaces that instances were launched with",
          "Name the nodes, whose spec.eni.first-interface-index tells it.");
    }
    return new Finding(
        PERMISSION,
        subject,
        Verdict.MISSING,
        refused,
        "Add the statement to the policy of the role.",
        Optional.of(Permissions.statement(operation, region)));
  }

  private boolean otherGroupReadGranted(Ec2Operation operation) {
    return work.probes().entrySet().stream()
        .filter(each -> each.getKey().operation() != operation)
        .filter(each -> Permissions.isGroupRead(each.getKey().operation()))
        .anyMatch(each -> each.getValue().match(done -> true, Ec2Condition.PERMITTED::is));
  }
}
