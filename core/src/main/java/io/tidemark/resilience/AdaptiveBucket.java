package io.tidemark.resilience;

/**
 * A token bucket that follows the bucket which the cloud keeps for us, as a value: every transition
 * answers the bucket after it. Two laws alternate.
 *
 * <ul>
 *   <li><i>Growing</i>, while no throttle was seen for 30 s: each success adds 0.25 / rate to the
 *       rate, so that a higher quota is found.
 *   <li><i>Mirroring</i>, after a throttle: our bucket becomes a copy of the cloud's. It is empty,
 *       holds four seconds of refill, and refills with what the cloud lets through: an average of
 *       the successes per second between two throttles, less 3 %. It is cut at most once in 2 s and
 *       probes upwards by 2 % per second.
 * </ul>
 *
 * <p>Successes raise the rate above the documented one only while the bucket is what holds calls
 * back: a trickle proves nothing about the cloud's limit. Over any window of time no more tokens
 * are spent than the size plus the integral of the rate: a reserved token keeps its place until it
 * is spent or given back, so {@code tokens + reserved <= capacity} always.
 *
 * @param atNanos instant that the other components describe
 * @param reserved tokens that were granted, and neither spent nor given back yet
 * @param perSecond present refill
 * @param mirror what is known since the last throttle
 */
record AdaptiveBucket(
    BucketLaw law,
    long atNanos,
    double tokens,
    int reserved,
    double perSecond,
    double capacity,
    Mirror mirror) {
  static final double GROWTH = 0.25;
  static final double CUT = 0.97;
  static final double PROBE_PER_SECOND = 0.02;
  static final double MIRRORED_SECONDS = 4;
  static final long QUIET_NANOS = 30_000_000_000L;
  static final long CUT_NANOS = 2_000_000_000L;

  /** A probe counts at most this long a silence. */
  private static final double PROBE_MAX_SECONDS = 5;

  /** Weight of a sample of {@code t} seconds is {@code 1 - e^(-t / AVERAGE_SECONDS)}. */
  private static final double AVERAGE_SECONDS = 5;

  private static final double SECOND = 1e9;

  /** Rounding of the sums of refills; a token short of this much is whole. */
  private static final double EPSILON = 1e-9;

  /**
   * What throttles taught.
   *
   * @param active whether the last throttle is less than 30 s ago
   * @param sampled whether {@code successesPerSecond} holds a measured value
   * @param successes since {@code cutNanos}
   */
  record Mirror(
      boolean active,
      long throttledNanos,
      long cutNanos,
      long probedNanos,
      int successes,
      boolean sampled,
      double successesPerSecond) {
    static final Mirror NONE = new Mirror(false, 0, 0, 0, 0, false, 0);
  }

  /** A full bucket with the documented refill. */
  static AdaptiveBucket full(BucketLaw law, long nanos) {
    return new AdaptiveBucket(
        law, nanos, law.burst(), 0, law.seedPerSecond(), law.burst(), Mirror.NONE);
  }

  /**
   * A bucket with a refill that was learned before; it starts with four seconds of it, as the rest
   * may just have been used up.
   */
  static AdaptiveBucket learned(BucketLaw law, double perSecond, long nanos) {
    double rate = law.clamp(perSecond);
    double tokens = Math.min(law.burst(), Math.max(1, MIRRORED_SECONDS * rate));
    return new AdaptiveBucket(law, nanos, tokens, 0, rate, law.burst(), Mirror.NONE);
  }

  /** The same bucket at a later instant; an earlier one changes nothing. */
  AdaptiveBucket at(long nanos) {
    long step = nanos - atNanos;
    if (step <= 0) {
      return this;
    }
    if (mirror.active && nanos - mirror.throttledNanos >= QUIET_NANOS) {
      long quiet = Math.max(atNanos, mirror.throttledNanos + QUIET_NANOS);
      AdaptiveBucket grown =
          with(filled(quiet - atNanos), reserved, perSecond, law.burst(), quiet, Mirror.NONE);
      return grown.at(nanos);
    }
    return with(filled(step), reserved, perSecond, capacity, nanos, mirror);
  }

  private double filled(long step) {
    double room = capacity - reserved;
    return tokens >= room ? tokens : Math.min(room, tokens + perSecond * step / SECOND);
  }

  boolean hasToken() {
    return tokens >= 1 - EPSILON;
  }

  /** Nanoseconds until there is a token when nothing else happens; 0 when there is one. */
  long nanosToToken() {
    return hasToken() ? 0 : Math.max(1, (long) Math.ceil((1 - tokens) / perSecond * SECOND));
  }

  /** Takes a token that is spent or given back later; only when there is one. */
  AdaptiveBucket reserve() {
    if (!hasToken()) {
      throw new IllegalStateException("no token to reserve: " + this);
    }
    return with(tokens - 1, reserved + 1, perSecond, capacity, atNanos, mirror);
  }

  /** A reserved token is used. */
  AdaptiveBucket spend() {
    return with(tokens, reserved - 1, perSecond, capacity, atNanos, mirror);
  }

  /** A reserved token is not wanted. */
  AdaptiveBucket giveBack() {
    int left = reserved - 1;
    double returned = Math.max(tokens, Math.min(capacity - left, tokens + 1));
    return with(returned, left, perSecond, capacity, atNanos, mirror);
  }

  /** All tokens are gone. */
  AdaptiveBucket drained() {
    return with(0, reserved, perSecond, capacity, atNanos, mirror);
  }

  /** The cloud let a call through. */
  AdaptiveBucket succeeded() {
    if (!law.adapts()) {
      return this;
    }
    boolean limits = tokens < 1 || perSecond < law.seedPerSecond();
    if (!mirror.active) {
      double grown = limits ? law.clamp(perSecond + GROWTH / perSecond) : perSecond;
      return with(tokens, reserved, grown, capacity, atNanos, mirror);
    }
    double silence = Math.min(PROBE_MAX_SECONDS, (atNanos - mirror.probedNanos) / SECOND);
    double probed = limits ? law.clamp(perSecond * (1 + PROBE_PER_SECOND * silence)) : perSecond;
    Mirror counted =
        new Mirror(
            true,
            mirror.throttledNanos,
            mirror.cutNanos,
            atNanos,
            mirror.successes + 1,
            mirror.sampled,
            mirror.successesPerSecond);
    return with(tokens, reserved, probed, capacity, atNanos, counted);
  }

  /** The cloud asked us to slow down: its bucket is empty, so ours is. */
  AdaptiveBucket throttled() {
    if (!law.adapts()) {
      return this;
    }
    if (!mirror.active) {
      Mirror first = new Mirror(true, atNanos, atNanos, atNanos, 0, false, 0);
      return emptied(law.clamp(perSecond * CUT), first);
    }
    if (atNanos - mirror.cutNanos < CUT_NANOS) {
      Mirror again =
          new Mirror(
              true,
              atNanos,
              mirror.cutNanos,
              atNanos,
              mirror.successes,
              mirror.sampled,
              mirror.successesPerSecond);
      return emptied(perSecond, again);
    }
    double average = average((atNanos - mirror.cutNanos) / SECOND);
    Mirror cut = new Mirror(true, atNanos, atNanos, atNanos, 0, true, average);
    return emptied(law.clamp(average * CUT), cut);
  }

  private double average(double seconds) {
    double sample = mirror.successes / seconds;
    double weight = mirror.sampled ? 1 - Math.exp(-seconds / AVERAGE_SECONDS) : 1;
    return mirror.successesPerSecond + weight * (sample - mirror.successesPerSecond);
  }

  private AdaptiveBucket emptied(double rate, Mirror known) {
    double size = Math.min(law.burst(), Math.max(1, MIRRORED_SECONDS * rate));
    return with(0, reserved, rate, size, atNanos, known);
  }

  private AdaptiveBucket with(
      double tokens, int reserved, double perSecond, double capacity, long nanos, Mirror mirror) {
    return new AdaptiveBucket(law, nanos, tokens, reserved, perSecond, capacity, mirror);
  }
}
