package io.tidemark.provider.aws.eni;

import io.tidemark.metrics.Meters;
import io.tidemark.provider.aws.ec2.Ec2Accounts;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.time.TaskScheduler;

/** The provider where all requests share their buckets and nothing is left to discover. */
public final class OneAccount {
  private OneAccount() {}

  public static EniAllocation of(
      Ec2Accounts ec2,
      CloudCalls calls,
      EniSettings settings,
      String cluster,
      Limits limits,
      TaskScheduler scheduler) {
    return new EniAllocation(
        () -> ec2,
        calls,
        calls,
        settings,
        () -> cluster,
        limits,
        scheduler,
        Meters.none(),
        Whereabouts.UNKNOWN,
        () -> {});
  }
}
