package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.AwsEndpointAnswer;
import io.tidemark.provider.aws.ec2.Ec2Clients.Identity;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.IamAction;
import io.tidemark.provider.aws.ec2.Partition;
import io.tidemark.provider.kit.doctor.Findings;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The meaning of the answers, as findings in the order they are shown. Filled once; not
 * thread-safe.
 */
final class Report {
  /** An account's quota in a region unless it asked for more. */
  private static final int INTERFACES_DEFAULT = 5_000;

  private static final String EC2_REMEDY =
      "Check ec2-api-endpoint, proxy, name service and the way to the region.";

  private static final String QUOTA = "quota";
  private static final String INTERFACES = "network interfaces of the region";
  static final String NO_DRY_RUNS = "the endpoint knows no dry runs, so no change was tried there";
  static final String NOT_EC2 = "EC2 does not answer, see endpoint";

  private final CheckupSettings settings;
  private final String region;
  private final List<Finding> identities = new ArrayList<>();
  private final List<Finding> roles = new ArrayList<>();
  private final List<Finding> metadata = new ArrayList<>();
  private final List<Finding> quotas = new ArrayList<>();
  private final Map<Asked, CallResult<Boolean>> probes = new LinkedHashMap<>();
  private Set<Asked> uncertain = Set.of();
  private Optional<Identity> account = Optional.empty();
  private Optional<Identity> networkAccount = Optional.empty();
  private final List<Finding> clusters = new ArrayList<>();
  private final List<Finding> nodes = new ArrayList<>();
  private Optional<CallResult<AwsEndpointAnswer>> ec2 = Optional.empty();
  private Optional<Failure> stsFailure = Optional.empty();

  Report(CheckupSettings settings, String region) {
    this.settings = settings;
    this.region = region;
  }

  /** Whether a probe ended as if it had been none. */
  static boolean wasDone(CallResult<Boolean> result) {
    return result instanceof CallResult.Answered<Boolean>;
  }

  // ---- filling

  void identity(CallResult<Identity> result) {
    account = result.match(Optional::of, failure -> Optional.<Identity>empty());
    stsFailure = result.match(told -> Optional.<Failure>empty(), Optional::of);
    identities.add(identity("account", result));
    settings.roles().own().ifPresent(role -> roles.add(role(role, result)));
  }

  void networkIdentity(CallResult<Identity> result) {
    networkAccount = result.match(Optional::of, failure -> Optional.<Identity>empty());
    identities.add(identity("account of the network", result));
    settings.roles().network().ifPresent(role -> roles.add(role(role, result)));
  }

  void endpoint(CallResult<AwsEndpointAnswer> result) {
    ec2 = Optional.of(result);
  }

  void cluster(Finding name) {
    clusters.add(name);
  }

  /**
   * Which instances exist; after the identity.
   *
   * @param named how many the nodes name; nothing is told of none
   */
  void instances(CallResult<InstanceSearch.Found> result, int named) {
    if (named > 0) {
      String of = account.map(known -> " of account " + known.accountId()).orElse("");
      nodes.add(InstanceSearch.finding(result, named, "region " + region + of));
    }
  }

  /** Whether other owners work with the nodes' interfaces; after the instances. */
  void owners(Finding found) {
    nodes.add(found);
  }

  void metadata(CallResult<String> result) {
    metadata.add(
        result.match(
            instance ->
                Finding.of("endpoint", "instance metadata", Verdict.OK, "instance " + instance, ""),
            this::noMetadata));
  }

  /** The permissions that are needed only if unknown nodes use them. */
  void uncertain(Set<Asked> permissions) {
    uncertain = Set.copyOf(permissions);
  }

  void tried(Map<Asked, CallResult<Boolean>> results) {
    probes.putAll(results);
  }

  void interfaces(CallResult<TargetSearch.Count> result) {
    quotas.add(result.match(this::quota, Report::unread));
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

  private static Finding unread(Failure failure) {
    return FailureWords.undecided(QUOTA, INTERFACES, failure);
  }

  // ---- the findings

  List<Finding> findings(Optional<Duration> clockSkew) {
    List<Finding> all = new ArrayList<>(identities);
    all.add(ec2Endpoint());
    all.add(stsEndpoint());
    all.addAll(metadata);
    all.add(
        Findings.clock(
            "EC2",
            isEc2() ? clockSkew : Optional.empty(),
            "Set the clock; EC2 refuses requests that are 5 minutes off."));
    all.addAll(nodes);
    all.addAll(roles);
    all.addAll(new AwsPermissionFindings(region, account, networkAccount, probes, uncertain).all());
    all.addAll(quotas);
    all.addAll(clusters);
    return all;
  }

  private Finding identity(String subject, CallResult<Identity> result) {
    return result.match(
        told -> {
          String partition = Partition.of(region).id();
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
    String subject = IamAction.ASSUME_ROLE + " on " + arn;
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
      return FailureWords.undecided("endpoint", "instance metadata", failure);
    }
    if (stsFailure.filter(each -> Ec2Condition.NO_CREDENTIALS.is(each)).isPresent()) {
      return Finding.of(
          "endpoint",
          "instance metadata",
          Verdict.WARNING,
          "does not answer; an instance's role would give credentials through it",
          "On an instance with a role raise its metadata hop limit to 2, for containers.");
    }
    boolean regionKnown = settings.region().isPresent();
    boolean needed = !regionKnown || settings.cluster().isEmpty();
    return Finding.of(
        "endpoint",
        "instance metadata",
        needed ? Verdict.WARNING : Verdict.OK,
        needed ? failure.detail() : "does not answer; not needed: region and cluster are named",
        needed
            ? "Set "
                + (regionKnown ? "" : "aws-region and ")
                + "cluster-name, or on an instance raise its metadata hop limit to 2."
            : "");
  }

  private boolean isEc2() {
    return ec2.filter(told -> told.match(AwsEndpointAnswer::ofEc2, failure -> false)).isPresent();
  }

  private Finding ec2Endpoint() {
    String where = "EC2 " + settings.endpoints().ec2().map(at -> "at " + at).orElse("of " + region);
    return ec2.orElseGet(() -> FailureWords.untried("nothing was sent"))
        .match(
            answer ->
                answer.ofEc2()
                    ? Finding.of("endpoint", where, Verdict.OK, answer.detail(), "")
                    : Finding.of("endpoint", where, Verdict.FAILED, answer.detail(), EC2_REMEDY),
            failure -> noEc2(where, failure));
  }

  private static Finding noEc2(String where, Failure failure) {
    if (failure.isOfDeadline()) {
      return FailureWords.undecided("endpoint", where, failure);
    }
    return Ec2Condition.NO_CREDENTIALS.is(failure)
        ? Finding.of("endpoint", where, Verdict.UNDECIDABLE, FailureWords.NOTHING_SENT, "")
        : Finding.of("endpoint", where, Verdict.FAILED, failure.detail(), EC2_REMEDY);
  }

  private Finding stsEndpoint() {
    String where = "STS " + settings.endpoints().sts().map(at -> "at " + at).orElse("of " + region);
    boolean roleTaken =
        settings.roles().own().isPresent() || settings.roles().network().isPresent();
    if (stsFailure.isEmpty() || FailureWords.isRoleRefused(stsFailure.get())) {
      return Finding.of("endpoint", where, Verdict.OK, "answers", "");
    }
    if (FailureWords.isWithoutCredentials(stsFailure.get())) {
      return Finding.of("endpoint", where, Verdict.UNDECIDABLE, FailureWords.NOTHING_SENT, "");
    }
    if (stsFailure.get().isOfDeadline()) {
      return FailureWords.undecided("endpoint", where, stsFailure.get());
    }
    return Finding.of(
        "endpoint",
        where,
        roleTaken ? Verdict.FAILED : Verdict.WARNING,
        stsFailure.get().detail(),
        "Check sts-api-endpoint, proxy and the way to STS; roles and web identities need it.");
  }
}
