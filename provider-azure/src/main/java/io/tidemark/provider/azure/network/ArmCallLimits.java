package io.tidemark.provider.azure.network;

import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallKind.Effect;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.SharedLimit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The call policy of Azure Resource Manager (provider-azure 13.2): what it gives one principal in
 * one subscription and region, and what the providers behind it give.
 */
public final class ArmCallLimits {
  private static final int ATTEMPTS_READ = 3;

  /** Resource Manager's buckets hold 250 reads and 200 writes. */
  private static final int READS_AT_ONCE = 250;

  private static final int WRITES_AT_ONCE = 200;
  private static final double READS_PER_SECOND = 25;
  private static final double WRITES_PER_SECOND = 10;

  /**
   * We count a request when it is sent, Azure when it arrives: a full bucket of Azure's does not
   * refill meanwhile. So much of the refill is left out.
   */
  private static final double SECONDS_ON_THE_WAY = 0.5;

  private ArmCallLimits() {}

  /**
   * The policy of one principal; its subscriptions share it, which uses less than Azure gives.
   *
   * @param account what buckets and breakers are called by: cloud and principal
   * @param share of the documented buckets that is ours ({@code azure-api-share}), above 0
   */
  public static CallPolicy of(String account, double share) {
    Map<CallKind, CallLimits> limits = new HashMap<>();
    Set<CallKind> reads = new HashSet<>();
    Set<CallKind> writes = new HashSet<>();
    for (ArmOperation each : ArmOperation.values()) {
      boolean read = each.kind().effect() == Effect.READ;
      (read ? reads : writes).add(each.kind());
      limits.put(
          each.kind(),
          new CallLimits(
              each.perSecond() * share,
              burst(each.burst(), share),
              each.timeout(),
              read ? ATTEMPTS_READ : 1));
    }
    return new CallPolicy(
        account,
        limits,
        List.of(
            shared("ResourceManager.Reads", READS_PER_SECOND, READS_AT_ONCE, share, reads),
            shared("ResourceManager.Writes", WRITES_PER_SECOND, WRITES_AT_ONCE, share, writes)),
        new ArmErrorClassifier());
  }

  private static SharedLimit shared(
      String name, double perSecond, int atOnce, double share, Set<CallKind> kinds) {
    int burst = (int) (atOnce - SECONDS_ON_THE_WAY * perSecond);
    return new SharedLimit(name, perSecond * share, burst(burst, share), kinds);
  }

  private static int burst(int documented, double share) {
    return (int) Math.max(1, documented * share);
  }
}
