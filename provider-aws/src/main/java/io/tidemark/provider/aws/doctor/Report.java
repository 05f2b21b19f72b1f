package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.Ec2Clients.Identity;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.IamAction;
import io.tidemark.provider.aws.ec2.Partition;
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

/** What the answers mean, as findings in the order they are shown. Filled once; not thread-safe. */
final class Report {
  /** EC2 refuses requests whose time is further away. */
  private static final Duration SKEW_MAX = Duration.ofMinutes(5);

  private static final Duration SKEW_WARNED = Duration.ofMinutes(1);

  /** What an account has in a region unless it asked for more. */
  private static final int INTERFACES_DEFAULT = 5_000;

  private static final String UNTRIED = "untried";

  private final CheckupSettings settings;
  private final String region;
  private final List<Finding> identities = new ArrayList<>();
  private final List<Finding> roles = new ArrayList<>();
  private final List<Finding> metadata = new ArrayList<>();
  private final List<Finding> quotas = new ArrayList<>();
  private final Map<Asked, CallResult<Boolean>> trials = new LinkedHashMap<>();
  private Set<Asked> uncertain = Set.of();
  private Optional<Identity> account = Optional.empty();
  private Optional<Identity> networkAccount = Optional.empty();
  private Optional<Failure> ec2Failure = Optional.empty();
  private Optional<Failure> stsFailure = Optional.empty();

  Report(CheckupSettings settings, String region) {
    this.settings = settings;
    this.region = region;
  }

  /** What stands for a trial that was not made. */
  static <T> CallResult<T> untried(String why) {
    return new CallResult.Failed<>(Failure.of(Failure.Kind.CANCELLED, UNTRIED, why));
  }

  /** Whether a trial ended as if it had been none. */
  static boolean wasDone(CallResult<Boolean> result) {
    return result instanceof CallResult.Answered<Boolean>;
  }

  /** As whom the instances' account knows us; empty when nobody told. */
  Optional<Identity> account() {
    return account;
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

  /** How the first request to EC2 ended. */
  void endpoint(CallResult<Boolean> result) {
    ec2Failure = result.match(done -> Optional.<Failure>empty(), Optional::of);
  }

  void metadata(CallResult<String> result) {
    metadata.add(
        result.match(
            instance ->
                Finding.of("endpoint", "instance metadata", Verdict.OK, "instance " + instance, ""),
            this::noMetadata));
  }

  /** What is needed only if nodes that are not known ask for it. */
  void uncertain(List<Asked> permissions) {
    uncertain = Set.copyOf(permissions);
  }

  void tried(Map<Asked, CallResult<Boolean>> results) {
    trials.putAll(results);
  }

  void untriable(List<Asked> changes) {
    changes.forEach(
        each ->
            trials.put(
                each, untried("the endpoint knows no dry runs, so no change was tried there")));
  }

  void interfaces(int count, boolean all) {
    String found =
        (all ? "" : "more than ")
            + count
            + " of at least "
            + INTERFACES_DEFAULT
            + " are in use; whether the account has more is known to Service Quotas alone, which"
            + " is not asked";
    boolean near = count >= INTERFACES_DEFAULT * 8 / 10;
    quotas.add(
        Finding.of(
            "quota",
            "network interfaces of the region",
            near ? Verdict.WARNING : Verdict.UNDECIDABLE,
            found,
            (near ? "Have the quota raised before it is needed. " : "")
                + "Look it up: aws service-quotas get-service-quota --service-code vpc --quota-code"
                + " L-DF5E4CA3 --region "
                + region));
  }

  void interfacesUnread(Failure failure) {
    quotas.add(
        Finding.of(
            "quota",
            "network interfaces of the region",
            Verdict.UNDECIDABLE,
            FailureWords.detail(failure),
            ""));
  }

  // ---- the findings

  List<Finding> findings(Optional<Duration> clockSkew) {
    List<Finding> all = new ArrayList<>(identities);
    all.add(ec2Endpoint(clockSkew.isPresent()));
    all.add(stsEndpoint());
    all.addAll(metadata);
    all.add(clock(clockSkew));
    all.addAll(roles);
    all.addAll(new PermissionFindings(region, account, networkAccount, trials, uncertain).all());
    all.addAll(quotas);
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
                : Finding.of(
                    "identity", subject, Verdict.UNDECIDABLE, FailureWords.detail(failure), ""));
  }

  private static Finding role(String arn, CallResult<Identity> result) {
    String subject = IamAction.ASSUME_ROLE + " on " + arn;
    return result.match(
        told -> Finding.of(PermissionFindings.PERMISSION, subject, Verdict.GRANTED, "", ""),
        failure ->
            FailureWords.isRoleRefused(failure)
                ? new Finding(
                    PermissionFindings.PERMISSION,
                    subject,
                    Verdict.MISSING,
                    failure.detail(),
                    "Add the statement to the policy of whoever takes the role on, and let the role"
                        + " trust it.",
                    Optional.of(Permissions.assume(arn)))
                : Finding.of(
                    PermissionFindings.PERMISSION,
                    subject,
                    Verdict.UNDECIDABLE,
                    FailureWords.detail(failure),
                    ""));
  }

  private Finding noMetadata(Failure failure) {
    if (stsFailure
        .filter(each -> each.condition().equals(Ec2Condition.NO_CREDENTIALS))
        .isPresent()) {
      return Finding.of(
          "endpoint",
          "instance metadata",
          Verdict.WARNING,
          "do not answer; through them an instance's role would give credentials",
          "On an instance with a role raise its metadata hop limit to 2, for containers.");
    }
    boolean regionKnown = settings.region().isPresent();
    boolean needed = !regionKnown || settings.cluster().isEmpty();
    return Finding.of(
        "endpoint",
        "instance metadata",
        needed ? Verdict.WARNING : Verdict.OK,
        needed
            ? failure.detail()
            : "do not answer, and are not needed: region and cluster are named",
        needed
            ? "Set "
                + (regionKnown ? "" : "aws-region and ")
                + "cluster-name, or on an instance raise its metadata hop limit to 2."
            : "");
  }

  private Finding ec2Endpoint(boolean answered) {
    String where = "EC2 " + settings.endpoints().ec2().map(at -> "at " + at).orElse("of " + region);
    if (answered) {
      return Finding.of("endpoint", where, Verdict.OK, "answers", "");
    }
    Optional<Failure> failure = ec2Failure;
    boolean unsent =
        failure.filter(each -> each.condition().equals(Ec2Condition.NO_CREDENTIALS)).isPresent();
    return Finding.of(
        "endpoint",
        where,
        unsent ? Verdict.UNDECIDABLE : Verdict.FAILED,
        unsent ? FailureWords.NOTHING_SENT : failure.map(Failure::detail).orElse(""),
        unsent ? "" : "Check ec2-api-endpoint, proxy, name service and the way to the region.");
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
    return Finding.of(
        "endpoint",
        where,
        roleTaken ? Verdict.FAILED : Verdict.WARNING,
        stsFailure.get().detail(),
        "Check sts-api-endpoint, proxy and the way to STS; roles and web identities need it.");
  }

  private static Finding clock(Optional<Duration> skew) {
    String subject = "this machine against EC2";
    if (skew.isEmpty()) {
      return Finding.of(
          "clock", subject, Verdict.UNDECIDABLE, "no answer of EC2 told its time", "");
    }
    Duration by = skew.get().abs();
    String ahead = skew.get().isNegative() ? "ahead of EC2" : "behind EC2";
    Verdict verdict =
        by.compareTo(SKEW_MAX) >= 0
            ? Verdict.FAILED
            : by.compareTo(SKEW_WARNED) >= 0 ? Verdict.WARNING : Verdict.OK;
    return Finding.of(
        "clock",
        subject,
        verdict,
        by.isZero() ? "agrees to the second" : by.toSeconds() + " s " + ahead,
        verdict == Verdict.OK ? "" : "Set the clock; EC2 refuses what is 5 minutes off.");
  }
}
