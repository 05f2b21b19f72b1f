package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.Ec2Clients.Identity;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.IamAction;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which of EC2's permissions we have, by how their probes ended. */
final class AwsPermissionFindings {
  static final String PERMISSION = "permission";

  private final String region;
  private final Optional<Identity> instances;
  private final Optional<Identity> network;
  private final Map<Asked, CallResult<Boolean>> probes;
  private final Set<Asked> uncertain;

  /**
   * Of probes that were made.
   *
   * @param instances who was refused by the instances' account, where that is known
   * @param network who was refused by the network's
   * @param uncertain what only nodes that are not known could need
   */
  AwsPermissionFindings(
      String region,
      Optional<Identity> instances,
      Optional<Identity> network,
      Map<Asked, CallResult<Boolean>> probes,
      Set<Asked> uncertain) {
    this.region = region;
    this.instances = instances;
    this.network = network;
    this.probes = probes;
    this.uncertain = uncertain;
  }

  /** In the order of the probes. */
  List<Finding> all() {
    List<Finding> all = new ArrayList<>();
    probes.forEach((asked, result) -> all.add(permission(asked, result)));
    return all;
  }

  /** Where both accounts must grant it, that of the network is told apart. */
  private String subject(Asked asked) {
    boolean ofBoth =
        asked.isOfNetwork() && probes.containsKey(Asked.ofInstances(asked.operation()));
    return IamAction.of(asked.operation()) + (ofBoth ? " of the network's account" : "");
  }

  private Finding permission(Asked asked, CallResult<Boolean> result) {
    Ec2Operation operation = asked.operation();
    String subject = subject(asked);
    if (Report.wasDone(result)) {
      return Finding.of(
          PERMISSION, subject, Verdict.GRANTED, "answered; the endpoint knows no dry runs", "");
    }
    Failure failure = ((CallResult.Failed<Boolean>) result).failure();
    if (Ec2Condition.PERMITTED.is(failure)) {
      return Finding.of(PERMISSION, subject, Verdict.GRANTED, "", "");
    }
    if (Ec2Condition.ENI_GONE.is(failure)) {
      return Finding.of(
          PERMISSION,
          subject,
          Verdict.UNDECIDABLE,
          "EC2 has no dry run of it; on an interface that does not exist it was not refused",
          "");
    }
    if (failure.isOfDeadline() || !Ec2Condition.UNAUTHORIZED.is(failure)) {
      return FailureWords.undecided(PERMISSION, subject, failure);
    }
    if (operation == Ec2Operation.CREATE_NETWORK_INTERFACE
        && failure.detail().contains(IamAction.of(Ec2Operation.CREATE_TAGS))) {
      return Finding.of(
          PERMISSION, subject, Verdict.UNDECIDABLE, "its tags are refused, see ec2:CreateTags", "");
    }
    if (Permissions.isGroupRead(operation) && otherGroupReadGranted(operation)) {
      return Finding.of(
          PERMISSION,
          subject,
          Verdict.OK,
          "missing; not needed, because the other one is granted",
          "");
    }
    String refused =
        (asked.isOfNetwork() ? network : instances)
            .map(identity -> "refused to " + identity.arn())
            .orElse("refused");
    if (uncertain.contains(asked)) {
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
    return probes.entrySet().stream()
        .filter(each -> each.getKey().operation() != operation)
        .filter(each -> Permissions.isGroupRead(each.getKey().operation()))
        .anyMatch(
            each ->
                each.getValue().match(done -> true, failure -> Ec2Condition.PERMITTED.is(failure)));
  }
}
