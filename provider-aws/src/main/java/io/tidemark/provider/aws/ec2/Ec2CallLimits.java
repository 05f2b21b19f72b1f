package io.tidemark.provider.aws.ec2;

import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The call policy of EC2: the documented bucket of every operation as the seed (provider-aws 8.2,
 * M1), timeouts (M14) and the classification of errors.
 */
public final class Ec2CallLimits {
  /** Timeout of one attempt. */
  public static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(10);

  /** How long a whole logical call may take from its dispatch (M14). */
  public static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);

  /** Of changes: a throttle in a burst is common, and costs less than giving the plan up. */
  private static final int ATTEMPTS = 6;

  /** Attempts of a read: three lost responses take half of {@link #CALL_TIMEOUT}. */
  private static final int ATTEMPTS_READ = 3;

  /**
   * Taking addresses away without a repetition after a lost answer: until a read shows the effect,
   * EC2 may give the addresses to the same interface again, and a second request takes those.
   */
  public static final CallKind UNASSIGN_ONCE =
      new CallKind(Ec2Operation.UNASSIGN_PRIVATE_IP_ADDRESSES.action(), CallKind.Effect.ONCE);

  private Ec2CallLimits() {}

  /**
   * The policy of one account and region, whose name is {@code account/region}: buckets are theirs.
   *
   * @param share of the documented buckets that is ours ({@code ec2-api-share}), above 0
   */
  public static CallPolicy of(String account, String region, double share) {
    Map<CallKind, CallLimits> limits = new HashMap<>();
    for (Ec2Operation operation : Ec2Operation.values()) {
      limits.put(operation.kind(), limits(operation, operation, share));
    }
    return new CallPolicy(account + "/" + region, limits, new Ec2ErrorClassifier());
  }

  /** The policy of a program that works for one instance: it takes addresses away once. */
  public static CallPolicy ofInstance(String account, String region, double share) {
    CallPolicy all = of(account, region, share);
    Map<CallKind, CallLimits> limits = new HashMap<>(all.limits());
    Ec2Operation unassign = Ec2Operation.UNASSIGN_PRIVATE_IP_ADDRESSES;
    limits.put(UNASSIGN_ONCE, Objects.requireNonNull(limits.remove(unassign.kind())));
    return new CallPolicy(all.account(), limits, all.classifier());
  }

  /**
   * The policy of an account that owns VPC and subnets alone: a creation is followed by the
   * permission to attach, so it is held to the smaller bucket of that.
   */
  public static CallPolicy ofNetworks(String account, String region, double share) {
    CallPolicy all = of(account, region, share);
    Map<CallKind, CallLimits> limits = new HashMap<>(all.limits());
    limits.put(
        Ec2Operation.CREATE_NETWORK_INTERFACE.kind(),
        limits(
            Ec2Operation.CREATE_NETWORK_INTERFACE,
            Ec2Operation.CREATE_NETWORK_INTERFACE_PERMISSION,
            share));
    return new CallPolicy(all.account(), limits, all.classifier());
  }

  private static CallLimits limits(Ec2Operation operation, Ec2Operation bucket, double share) {
    return new CallLimits(
        bucket.refillPerSecond() * share,
        (int) Math.max(1, bucket.bucketSize() * share),
        ATTEMPT_TIMEOUT,
        operation.kind().effect() == CallKind.Effect.READ ? ATTEMPTS_READ : ATTEMPTS);
  }
}
