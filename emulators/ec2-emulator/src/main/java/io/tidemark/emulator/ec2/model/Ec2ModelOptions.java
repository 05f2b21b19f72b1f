package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.pace.BucketSize;
import io.tidemark.emulator.kit.pace.DelayRange;
import java.util.HashMap;
import java.util.Map;

/**
 * The options of a model. Immutable.
 *
 * @param seed of everything that is drawn: ids, delays, faults, scattered addresses
 * @param types the instance types that can be launched
 * @param quotas those of every account in every region that are not the usual ones
 * @param zonesPerRegion Availability Zones, 1 to 26
 * @param choice which free address is given to whoever names none
 * @param throttling whether requests take tokens
 * @param buckets by action, sizes that differ from the documented ones
 * @param neighboursShare 0 to 1 of each bucket's refill that other programs use
 * @param latencies between a request and its response, by action, {@code *} for all others; the
 *     effect is at the beginning
 * @param delays how long things take; nothing when left out
 */
public record Ec2ModelOptions(
    long seed,
    Ec2InstanceTypes types,
    Map<Quota, Integer> quotas,
    int zonesPerRegion,
    Ec2SubnetAddresses.Choice choice,
    boolean throttling,
    Map<String, BucketSize> buckets,
    double neighboursShare,
    Map<String, DelayRange> latencies,
    Map<Delay, DelayRange> delays) {
  /** Delays of effects and reads. */
  public enum Delay {
    /** Until readers see what a call has changed. */
    VISIBILITY,
    /**
     * How far in the past a reader sees, drawn for each read, so that a later read may see less
     * than an earlier one.
     */
    READ_LAG,
    /** From pending to running. */
    START,
    /** From stopping to stopped. */
    STOP,
    /** From shutting-down to terminated. */
    TERMINATE,
    /** From attaching to attached. */
    ATTACH,
    /** From detaching to available. */
    DETACH
  }

  public Ec2ModelOptions {
    quotas = Map.copyOf(quotas);
    buckets = Map.copyOf(buckets);
    latencies = Map.copyOf(latencies);
    delays = Map.copyOf(delays);
    if (zonesPerRegion < 1 || zonesPerRegion > 26) {
      throw new IllegalArgumentException(
          "zones per region are " + zonesPerRegion + "; expected 1 to 26");
    }
  }

  /** Three zones, lowest addresses, no throttling, no delay. */
  public static Ec2ModelOptions of(long seed, Ec2InstanceTypes types) {
    return new Ec2ModelOptions(
        seed,
        types,
        Map.of(),
        3,
        Ec2SubnetAddresses.Choice.LOWEST,
        false,
        Map.of(),
        0,
        Map.of(),
        Map.of());
  }

  public int quota(Quota of) {
    return quotas.getOrDefault(of, of.usual());
  }

  public DelayRange delay(Delay of) {
    return delays.getOrDefault(of, DelayRange.NONE);
  }

  public DelayRange latency(String action) {
    return latencies.getOrDefault(action, latencies.getOrDefault("*", DelayRange.NONE));
  }

  public Ec2ModelOptions withQuota(Quota quota, int changed) {
    Map<Quota, Integer> all = new HashMap<>(quotas);
    all.put(quota, changed);
    return with(seed, all, choice, throttling, neighboursShare, latencies, delays);
  }

  public Ec2ModelOptions withChoice(Ec2SubnetAddresses.Choice changed) {
    return with(seed, quotas, changed, throttling, neighboursShare, latencies, delays);
  }

  /** With the documented buckets, of which noisy neighbours use this share. */
  public Ec2ModelOptions withThrottling(double neighbours) {
    return with(seed, quotas, choice, true, neighbours, latencies, delays);
  }

  public Ec2ModelOptions withThrottling(boolean changed) {
    return with(seed, quotas, choice, changed, neighboursShare, latencies, delays);
  }

  public Ec2ModelOptions withSeed(long changed) {
    return with(changed, quotas, choice, throttling, neighboursShare, latencies, delays);
  }

  /** The same with this latency of an action, or of {@code *}. */
  public Ec2ModelOptions withLatency(String action, DelayRange changed) {
    Map<String, DelayRange> all = new HashMap<>(latencies);
    all.put(action, changed);
    return with(seed, quotas, choice, throttling, neighboursShare, all, delays);
  }

  /** The same where each of these takes so long. */
  public Ec2ModelOptions withDelay(DelayRange changed, Delay... of) {
    Map<Delay, DelayRange> all = new HashMap<>(delays);
    for (Delay each : of) {
      all.put(each, changed);
    }
    return with(seed, quotas, choice, throttling, neighboursShare, latencies, all);
  }

  private Ec2ModelOptions with(
      long from,
      Map<Quota, Integer> limits,
      Ec2SubnetAddresses.Choice chosen,
      boolean limited,
      double neighbours,
      Map<String, DelayRange> answers,
      Map<Delay, DelayRange> things) {
    return new Ec2ModelOptions(
        from, types, limits, zonesPerRegion, chosen, limited, buckets, neighbours, answers, things);
  }
}
