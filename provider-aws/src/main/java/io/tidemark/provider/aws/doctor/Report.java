package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.AwsEndpointAnswer;
import io.tidemark.provider.aws.ec2.Ec2Clients.Identity;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.kit.doctor.Findings;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The answers of a checkup, and what they mean.
 *
 * @param identity as whom the instances' account knows us
 * @param networkIdentity the same of the network's account, which may be the same
 * @param metadata the id of the instance that we run on
 */
record Report(
    CheckupSettings settings,
    String region,
    List<NodeResource> nodes,
    CallResult<Identity> identity,
    CallResult<Identity> networkIdentity,
    CallResult<AwsEndpointAnswer> endpoint,
    CallResult<String> metadata,
    ClusterNaming cluster,
    Work work) {
  /** An account's quota in a region unless it asked for more. */
  private static final int INTERFACES_DEFAULT = 5_000;

  private static final String EC2_REMEDY =
      "Check ec2-api-endpoint, proxy, name service and the way to the region.";

  private static final String ENDPOINT = "endpoint";
  private static final String METADATA = "instance metadata";
  private static final String QUOTA = "quota";
  private static final String INTERFACES = "network interfaces of the region";
  static final String NO_DRY_RUNS = "the endpoint knows no dry runs, so no change was tried there";
  static final String NOT_EC2 = "EC2 does not answer, see endpoint";

  /**
   * The results of requests to EC2.
   *
   * @param instances which of those that the nodes name exist
   * @param probes by permission, in the order to be shown; answered what was done in earnest
   * @param uncertain the permissions that only nodes that are not known could need
   */
  record Work(
      CallResult<InstanceSearch.Found> instances,
      Map<Asked, CallResult<Boolean>> probes,
      Set<Asked> uncertain,
      CallResult<TargetSearch.Count> interfaces) {}

  /** In the order to be shown. */
  List<Finding> findings(Optional<Duration> clockSkew) {
    List<Finding> all = new ArrayList<>();
    all.add(identity("account", identity));
    settings
        .networkRole()
        .ifPresent(role -> all.add(identity("account of the network", networkIdentity)));
    all.add(ec2Endpoint());
    all.add(stsEndpoint());
    all.add(
        metadata.match(
            instance -> Finding.of(ENDPOINT, METADATA, Verdict.OK, "instance " + instance, ""),
            this::noMetadata));
    all.add(
        Findings.clock(
            "EC2",
            endpoint.answer().filter(AwsEndpointAnswer::ofEc2).flatMap(of -> clockSkew),
            "Set the clock; EC2 refuses requests that are 5 minutes off."));
    int named = AwsTargets.of(nodes).batches().stream().mapToInt(Set::size).sum();
    if (named > 0) {
      String of = identity.answer().map(to -> " of account " + to.accountId()).orElse("");
      all.add(InstanceSearch.finding(work.instances(), named, "region " + region + of));
      all.add(InterfaceOwners.finding(work.interfaces(), cluster, nodes));
    }
    settings.role().ifPresent(role -> all.add(role(role, identity)));
    settings.networkRole().ifPresent(role -> all.add(role(role, networkIdentity)));
    all.addAll(new AwsPermissionFindings(region, identity, networkIdentity, work).all());
    all.add(
        work.interfaces()
            .match(this::quota, failure -> FailureWords.undecided(QUOTA, INTERFACES, failure)));
    all.add(cluster.finding());
    return all;
  }

  private Finding quota(TargetSearch.Count counted) {
    String found =
        (counted.all() ? "" : "more than ")
            + counted.interfaces()
            + " of at least "
            + INTERFACES_DEFAULT
            + " are in use; whether the account has more is known to Service Quotas alone, which"
            + " is not asked";
    boolean near = counted.interfaces() >= INTERFACES_DEFAULT * 8 / 10;
    return Finding.of(
        QUOTA,
        INTERFACES,
        near ? Verdict.WARNING : Verdict.UNDECIDABLE,
        found,
        (near ? "Have the quota raised before it is needed. " : "")
            + "Look it up: aws service-quotas get-service-quota --service-code vpc --quota-code"
            + " L-DF5E4CA3 --region "
            + region);
  }

  private Finding identity(String subject, CallResult<Identity> result) {
    return result.match(
        told -> {
          String partition = Permissions.partition(region);
          boolean right = told.arn().startsWith("arn:" + partition + ":");
          return Finding.of(
              "identity",
              subject,
              right ? Verdict.OK : Verdict.FAILED,
              told.accountId() + " as " + told.arn() + ", region " + region,
              right
                  ? ""
                  : "Use credentials of partition " + partition + ", or correct aws-region.");
        },
        failure ->
            FailureWords.isWithoutCredentials(failure)
                ? Finding.of(
                    "identity",
                    subject,
                    Verdict.FAILED,
                    failure.detail(),
                    "Give it credentials: a role of the service account or of the instance, a"
                        + " profile, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.")
                : FailureWords.undecided("identity", subject, failure));
  }

  private static Finding role(String arn, CallResult<Identity> result) {
    String subject = FailureWords.ASSUME_ROLE + " on " + arn;
    return result.match(
        told -> Finding.of(AwsPermissionFindings.PERMISSION, subject, Verdict.GRANTED, "", ""),
        failure ->
            FailureWords.isRoleRefused(failure)
                ? new Finding(
                    AwsPermissionFindings.PERMISSION,
                    subject,
                    Verdict.MISSING,
                    failure.detail(),
                    "Add the statement to the policy of the identity that assumes the role, and"
                        + " let the role trust that identity.",
                    Optional.of(Permissions.assume(arn)))
                : FailureWords.undecided(AwsPermissionFindings.PERMISSION, subject, failure));
  }

  private Finding noMetadata(Failure failure) {
    if (failure.isOfDeadline()) {
      return FailureWords.undecided(ENDPOINT, METADATA, failure);
    }
    if (identity.refusal().filter(Ec2Condition.NO_CREDENTIALS::is).isPresent()) {
      return Finding.of(
          ENDPOINT,
          METADATA,
          Verdict.WARNING,
          "does not answer; an instance's role would give credentials through it",
          "On an instance with a role raise its metadata hop limit to 2, for containers.");
    }
    boolean regionKnown = settings.region().isPresent();
    boolean needed = !regionKnown || settings.cluster().isEmpty();
    return Finding.of(
        ENDPOINT,
        METADATA,
        needed ? Verdict.WARNING : Verdict.OK,
        needed ? failure.detail() : "does not answer; not needed: region and cluster are named",
        needed
            ? "Set "
                + (regionKnown ? "" : "aws-region and ")
                + "cluster-name, or on an instance raise its metadata hop limit to 2."
            : "");
  }

  private Finding ec2Endpoint() {
    String where = "EC2 " + at(settings.connection().endpoint());
    return endpoint.match(
        answer ->
            answer.ofEc2()
                ? Finding.of(ENDPOINT, where, Verdict.OK, answer.detail(), "")
                : Finding.of(ENDPOINT, where, Verdict.FAILED, answer.detail(), EC2_REMEDY),
        failure ->
            Ec2Condition.NO_CREDENTIALS.is(failure)
                ? Finding.of(ENDPOINT, where, Verdict.UNDECIDABLE, FailureWords.NOTHING_SENT, "")
                : Findings.failed(ENDPOINT, where, failure, EC2_REMEDY));
  }

  private String at(Optional<URI> endpoint) {
    return endpoint.map(at -> "at " + at).orElse("of " + region);
  }

  private Finding stsEndpoint() {
    String where = "STS " + at(settings.connection().stsEndpoint());
    boolean roleTaken = settings.role().isPresent() || settings.networkRole().isPresent();
    return identity
        .refusal()
        .filter(failure -> !FailureWords.isRoleRefused(failure))
        .map(
            failure ->
                FailureWords.isWithoutCredentials(failure)
                    ? Finding.of(
                        ENDPOINT, where, Verdict.UNDECIDABLE, FailureWords.NOTHING_SENT, "")
                    : noSts(where, failure, roleTaken))
        .orElseGet(() -> Finding.of(ENDPOINT, where, Verdict.OK, "answers", ""));
  }

  private static Finding noSts(String where, Failure failure, boolean needed) {
    return failure.isOfDeadline()
        ? FailureWords.undecided(ENDPOINT, where, failure)
        : Finding.of(
            ENDPOINT,
            where,
            needed ? Verdict.FAILED : Verdict.WARNING,
            failure.detail(),
            "Check sts-api-endpoint, proxy and the way to STS; roles and web identities need it.");
  }
}
