package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.pace.BucketSize;
import io.tidemark.emulator.kit.pace.DelayRange;
import java.util.Map;

/**
 * The options of a model. Immutable.
 *
 * @param seed of everything that is drawn: ids, delays, faults, scattered addresses
 * @param types the instance types that can be launched
 * @param quotas of every account in every region
 * @param zonesPerRegion Availability Zones, 1 to 26
 * @param choice which free address is given to whoever names none
 * @param throttling whether requests take tokens
 * @param buckets by action, sizes that differ from the documented ones
 * @param neighboursShare 0 to 1 of each bucket's refill that other programs use
 * @param delays how long things take
 */
public record Ec2ModelOptions(
    long seed,
    Ec2InstanceTypes types,
    Quotas quotas,
    int zonesPerRegion,
    Ec2SubnetAddresses.Choice choice,
    boolean throttling,
    Map<String, BucketSize> buckets,
    double neighboursShare,
    Delays delays) {
  /**
   * Delays of responses, effects and reads.
   *
   * @param latency between a request and its response; the effect is at the beginning
   * @param latencies the same for single actions
   * @param visibility until readers see what a call has changed
   * @param readLag how far in the past a reader sees, drawn for each read, so that a later read may
   *     see less than an earlier one
   * @param start from pending to running
   * @param stop from stopping to stopped
   * @param terminate from shutting-down to terminated
   * @param attach from attaching to attached
   * @param detach from detaching to available
   */
  public record Delays(
      DelayRange latency,
      Map<String, DelayRange> latencies,
      DelayRange visibility,
      DelayRange readLag,
      DelayRange start,
      DelayRange stop,
      DelayRange terminate,
      DelayRange attach,
      DelayRange detach) {
    /** No delays. */
    public static final Delays NONE =
        new Delays(
            DelayRange.NONE,
            Map.of(),
            DelayRange.NONE,
            DelayRange.NONE,
            DelayRange.NONE,
            DelayRange.NONE,
            DelayRange.NONE,
            DelayRange.NONE,
            DelayRange.NONE);

    public Delays {
      latencies = Map.copyOf(latencies);
    }

    public Delays withLatency(DelayRange changed) {
      return new Delays(
          changed, latencies, visibility, readLag, start, stop, terminate, attach, detach);
    }

    public Delays withVisibility(DelayRange writes, DelayRange reads) {
      return new Delays(latency, latencies, writes, reads, start, stop, terminate, attach, detach);
    }

    public Delays withInstances(DelayRange starting, DelayRange stopping, DelayRange ending) {
      return new Delays(
          latency, latencies, visibility, readLag, starting, stopping, ending, attach, detach);
    }

    public Delays withAttachments(DelayRange attaching, DelayRange detaching) {
      return new Delays(
          latency, latencies, visibility, readLag, start, stop, terminate, attaching, detaching);
    }
  }

  public Ec2ModelOptions {
    buckets = Map.copyOf(buckets);
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
        Quotas.DEFAULT,
        3,
        Ec2SubnetAddresses.Choice.LOWEST,
        false,
        Map.of(),
        0,
        Delays.NONE);
  }

  public Ec2ModelOptions withQuotas(Quotas changed) {
    return new Ec2ModelOptions(
        seed, types, changed, zonesPerRegion, choice, throttling, buckets, neighboursShare, delays);
  }

  public Ec2ModelOptions withChoice(Ec2SubnetAddresses.Choice changed) {
    return new Ec2ModelOptions(
        seed, types, quotas, zonesPerRegion, changed, throttling, buckets, neighboursShare, delays);
  }

  /** With the documented buckets, of which noisy neighbours use this share. */
  public Ec2ModelOptions withThrottling(double neighbours) {
    return new Ec2ModelOptions(
        seed, types, quotas, zonesPerRegion, choice, true, buckets, neighbours, delays);
  }

  public Ec2ModelOptions withThrottling(boolean changed) {
    return new Ec2ModelOptions(
        seed, types, quotas, zonesPerRegion, choice, changed, buckets, neighboursShare, delays);
  }

  public Ec2ModelOptions withSeed(long changed) {
    return new Ec2ModelOptions(
        changed,
        types,
        quotas,
        zonesPerRegion,
        choice,
        throttling,
        buckets,
        neighboursShare,
        delays);
  }

  public Ec2ModelOptions withDelays(Delays changed) {
    return new Ec2ModelOptions(
        seed, types, quotas, zonesPerRegion, choice, throttling, buckets, neighboursShare, changed);
  }
}
