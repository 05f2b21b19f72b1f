package io.tidemark.resilience;

/**
 * Start and bounds of an {@link AdaptiveBucket}: where it starts and how far it may move.
 *
 * @param seedPerSecond documented refill in tokens per second
 * @param burst documented size in tokens
 * @param adapts whether the refill follows what the cloud lets through
 * @param mostPerSecond the refill never rises above this
 */
record BucketRules(double seedPerSecond, double burst, boolean adapts, double mostPerSecond) {
  /** The refill never falls below this. */
  static final double FLOOR_PER_SECOND = 0.2;

  /** The refill of a kind's bucket never rises above this many times the documented one. */
  static final double CEILING_FACTOR = 4;

  /** The rules of one kind of request; an infinite refill is no limit. */
  static BucketRules of(CloudCallsConfig.Pacing pacing, CallLimits limits) {
    if (limits.callsPerSecond() == Double.POSITIVE_INFINITY) {
      return none();
    }
    return switch (pacing) {
      case ADAPTIVE -> adaptive(limits.callsPerSecond(), limits.burst());
      case FIXED -> fixed(limits.callsPerSecond(), limits.burst());
      case NONE -> none();
    };
  }

  /** The rules of a limit that kinds share: its documented refill is not exceeded. */
  static BucketRules of(CloudCallsConfig.Pacing pacing, SharedLimit limit) {
    double perSecond = limit.callsPerSecond();
    return switch (pacing) {
      case ADAPTIVE -> new BucketRules(perSecond, limit.burst(), true, perSecond);
      case FIXED -> fixed(perSecond, limit.burst());
      case NONE -> none();
    };
  }

  /** Follows the cloud, starting from its documented limits. */
  static BucketRules adaptive(double seedPerSecond, double burst) {
    return new BucketRules(seedPerSecond, burst, true, CEILING_FACTOR * seedPerSecond);
  }

  /** Stays as it is. */
  static BucketRules fixed(double perSecond, double burst) {
    return new BucketRules(perSecond, burst, false, perSecond);
  }

  /** Always has a token. */
  static BucketRules none() {
    return new BucketRules(1e9, Double.POSITIVE_INFINITY, false, 1e9);
  }

  double clamp(double perSecond) {
    double floor = Math.min(FLOOR_PER_SECOND, seedPerSecond);
    return Math.max(floor, Math.min(mostPerSecond, perSecond));
  }
}
