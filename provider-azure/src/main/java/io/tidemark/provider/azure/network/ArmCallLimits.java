package io.tidemark.provider.azure.network;

import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import java.util.HashMap;
import java.util.Map;

/** The call policy of Azure Resource Manager (provider-azure 13.2). */
public final class ArmCallLimits {
  private static final int ATTEMPTS_READ = 3;

  private ArmCallLimits() {}

  /**
   * The policy of one principal; its subscriptions share it, which uses less than Azure gives.
   *
   * @param account what buckets and breakers are called by: cloud and principal
   * @param share of the documented buckets that is ours ({@code azure-api-share}), above 0
   */
  public static CallPolicy of(String account, double share) {
    Map<CallKind, CallLimits> limits = new HashMap<>();
    for (ArmOperation each : ArmOperation.values()) {
      limits.put(
          each.kind(),
          new CallLimits(
              each.perSecond() * share,
              (int) Math.max(1, each.burst() * share),
              each.timeout(),
              each.kind().effect() == CallKind.Effect.READ ? ATTEMPTS_READ : 1));
    }
    return new CallPolicy(account, limits, new ArmErrorClassifier());
  }
}
