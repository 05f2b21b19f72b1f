package io.tidemark.resilience;

import java.time.Duration;
import java.util.Optional;

/**
 * A token bucket that follows the bucket which the cloud keeps for us, as a value: every transition
 * answers the bucket after it (performance E2.2). Two laws alternate.
 *
 * <ul>
 *   <li><i>Growing</i>, while no throttle was seen for 30 s: each success adds 0.25 / rate to the
 *       rate, so that a higher quota is found.
 *   <li><i>Mirroring</i>, after a throttle: our bucket becomes a copy of the cloud's. It is empty,
 *       holds four seconds of refill, and refills with what the cloud lets through: an average of
 *       the successes per second between two throttles, less 3 %. Times in which it was full count
 *       for nothing: then our calls were few, not the cloud's tokens. It is cut at most once in 2 s
 *       and probes upwards by 2 % per second.
 * </ul>
 *
 * <p>A throttle that names the time to come back closes the bucket until then, whatever its rules;
 * it refills meanwhile. Tokens that were reserved before stay usable.
 *
 * <p>Successes raise the rate above the documented one only while the bucket is what holds calls
 * back: a trickle proves nothing about the cloud's limit. Over any window of time no more tokens
 * are spent than the size plus the integral of the rate: a reserved token keeps its place until it
 * is spent or given back, so {@code tokens + reserved <= capacity} always, and what is kept for
 * waiting pods fits beside it into the documented size.
 *
 * @param atNanos instant that the other components describe
 * @param tokens for everybody; negative for a while after a throttle
 * @param kept tokens that the last throttle left to waiting pods alone: for them {@code tokens} may
 *     fall so far below zero
 * @param reserved tokens that were granted, and neither spent nor given back yet
 * @param perSecond present refill
 * @param closedUntilNanos instant before which nobody gets a token
 */
record AdaptiveBucket(
    BucketRules rules,
    long atNanos,
    double tokens,
    double kept,
    int reserved,
    double perSecond,
    double capacity,
    long closedUntilNanos,
    ThrottleHistory throttles) {
  static final double GROWTH = 0.25;
  static final double CUT = 0.97;
  static final double PROBE_PER_SECOND = 0.02;
  static final double MIRRORED_SECONDS = 4;
  static final long QUIET_NANOS = 30_000_000_000L;
  static final long CUT_NANOS = 2_000_000_000L;

  /** The longest time for which one throttle closes the bucket. */
  static final Duration LONGEST_CLOSE = Duration.ofMinutes(10);

  /**
   * After a throttle the bucket is this much short of empty, or one second of refill if that is
   * less. Nothing is lost: the cloud's bucket keeps what we leave in it, and the next probe uses it
   * up. It makes throttles rarer by a third. Who has pods waiting may take it meanwhile.
   */
  static final double SHORT_TOKENS = 3;

  /** A probe counts at most this long a silence. */
  private static final double PROBE_MAX_SECONDS = 5;

  /** A sample of t seconds weighs 1 - e^(-t / AVERAGE_SECONDS). */
  private static final double AVERAGE_SECONDS = 5;

  private static final double SECOND = 1e9;

  /** Rounding of the sums of refills; a token short of this much is whole. */
  private static final double EPSILON = 1e-9;

  /** A full bucket with the documented refill. */
  static AdaptiveBucket full(BucketRules rules, long nanos) {
    return fresh(rules, nanos, rules.burst(), rules.seedPerSecond());
  }

  /**
   * A bucket with a refill that was learned before; it starts with four seconds of it, as the rest
   * may just have been used up.
   */
  static AdaptiveBucket learned(BucketRules rules, double perSecond, long nanos) {
    double rate = rules.clamp(perSecond);
    return fresh(rules, nanos, mirroredSize(rules, rate), rate);
  }

  private static AdaptiveBucket fresh(
      BucketRules rules, long nanos, double tokens, double perSecond) {
    return new AdaptiveBucket(
        rules, nanos, tokens, 0, 0, perSecond, rules.burst(), nanos, ThrottleHistory.NONE);
  }

  private static double mirroredSize(BucketRules rules, double rate) {
    return Math.min(rules.burst(), Math.max(1, MIRRORED_SECONDS * rate));
  }

  /** The same bucket at a later instant; an earlier one changes nothing. */
  AdaptiveBucket at(long nanos) {
    long step = nanos - atNanos;
    if (step <= 0) {
      return this;
    }
    if (throttles.recent() && nanos - throttles.lastNanos() >= QUIET_NANOS) {
      long quiet = Math.max(atNanos, throttles.lastNanos() + QUIET_NANOS);
      return new AdaptiveBucket(
              rules,
              quiet,
              filled(quiet - atNanos),
              0,
              reserved,
              perSecond,
              rules.burst(),
              closedUntilNanos,
              known(quiet - atNanos).forgotten())
          .at(nanos);
    }
    return new AdaptiveBucket(
        rules,
        nanos,
        filled(step),
        kept,
        reserved,
        perSecond,
        capacity,
        closedUntilNanos,
        known(step));
  }

  /** Who finds the bucket full was not held back. */
  private ThrottleHistory known(long step) {
    boolean full = tokens + perSecond * step / SECOND > capacity + EPSILON;
    return full ? throttles.idled() : throttles;
  }

  private double filled(long step) {
    double room = capacity - reserved;
    return tokens >= room ? tokens : Math.min(room, tokens + perSecond * step / SECOND);
  }

  /** Whether there is a token for everybody. */
  boolean hasToken() {
    return !isClosed() && tokens >= 1 - EPSILON;
  }

  /** Whether there is a token for one of this class. */
  boolean hasTokenFor(Urgency urgency) {
    return !isClosed() && isWhole(urgency);
  }

  private boolean isClosed() {
    return closedUntilNanos - atNanos > 0;
  }

  private boolean isWhole(Urgency urgency) {
    return reach(urgency) >= 1 - EPSILON;
  }

  private double reach(Urgency urgency) {
    return urgency == Urgency.PODS_WAITING ? tokens + kept : tokens;
  }

  /** The most tokens that there can be for one of this class, with what is reserved now. */
  double mostFor(Urgency urgency) {
    return capacity - reserved + (urgency == Urgency.PODS_WAITING ? kept : 0);
  }

  /** Nanoseconds until everybody can have a token if nothing else happens; 0 if there is one. */
  long nanosToToken() {
    return nanosToTokenFor(Urgency.BELOW_WATERMARK);
  }

  /** Nanoseconds until one of this class can have a token when nothing else happens. */
  long nanosToTokenFor(Urgency urgency) {
    long refilled =
        isWhole(urgency)
            ? 0
            : Math.max(1, (long) Math.ceil((1 - reach(urgency)) / perSecond * SECOND));
    return Math.max(refilled, closedUntilNanos - atNanos);
  }

  /** Takes a token that is spent or given back later; only when there is one for the taker. */
  AdaptiveBucket reserve() {
    if (!hasTokenFor(Urgency.PODS_WAITING)) {
      throw new IllegalStateException("no token to reserve: " + this);
    }
    return holding(tokens - 1, reserved + 1);
  }

  /** A reserved token is used. */
  AdaptiveBucket spend() {
    return holding(tokens, reserved - 1);
  }

  /** A reserved token is not wanted. */
  AdaptiveBucket giveBack() {
    int left = reserved - 1;
    return holding(Math.max(tokens, Math.min(capacity - left, tokens + 1)), left);
  }

  /** The cloud let a call through. */
  AdaptiveBucket succeeded() {
    if (!rules.adapts()) {
      return this;
    }
    boolean holdsBack = tokens < 1 || perSecond < rules.seedPerSecond();
    double rate = perSecond;
    if (holdsBack) {
      rate = rules.clamp(throttles.recent() ? probed() : perSecond + GROWTH / perSecond);
    }
    return refilledBy(rate, throttles.success(atNanos));
  }

  private double probed() {
    double silence = (atNanos - throttles.probedNanos()) / SECOND;
    return perSecond * (1 + PROBE_PER_SECOND * Math.min(PROBE_MAX_SECONDS, silence));
  }

  /** The cloud asked us to slow down, and may have said for how long to stay away. */
  AdaptiveBucket throttled(Optional<Duration> retryAfter) {
    return retryAfter.map(this::closedFor).orElse(this).throttled();
  }

  private AdaptiveBucket closedFor(Duration span) {
    Duration bounded = span.compareTo(LONGEST_CLOSE) < 0 ? span : LONGEST_CLOSE;
    long until = atNanos + bounded.toNanos();
    return until - closedUntilNanos <= 0
        ? this
        : new AdaptiveBucket(
            rules, atNanos, tokens, kept, reserved, perSecond, capacity, until, throttles);
  }

  /** The cloud's bucket is empty, so ours is. */
  AdaptiveBucket throttled() {
    if (!rules.adapts()) {
      return this;
    }
    if (throttles.recent() && atNanos - throttles.cutNanos() < CUT_NANOS) {
      return emptied(perSecond, throttles.again(atNanos));
    }
    if (!throttles.ever() || throttles.idle()) {
      return emptied(rules.clamp(perSecond * CUT), throttles.cut(atNanos));
    }
    double seconds = (atNanos - throttles.cutNanos()) / SECOND;
    double weight = 1 - Math.exp(-seconds / AVERAGE_SECONDS);
    ThrottleHistory known = throttles.sampled(seconds, weight).cut(atNanos);
    double rate = Math.min(perSecond, known.perSecond()) * CUT;
    return emptied(rules.clamp(rate), known);
  }

  private AdaptiveBucket emptied(double rate, ThrottleHistory known) {
    double size = mirroredSize(rules, rate);
    double shortBy = Math.min(SHORT_TOKENS, rate);
    double keep = Math.min(shortBy, rules.burst() - size);
    return new AdaptiveBucket(
        rules, atNanos, -shortBy, keep, reserved, rate, size, closedUntilNanos, known);
  }

  private AdaptiveBucket holding(double tokens, int reserved) {
    return new AdaptiveBucket(
        rules, atNanos, tokens, kept, reserved, perSecond, capacity, closedUntilNanos, throttles);
  }

  private AdaptiveBucket refilledBy(double rate, ThrottleHistory known) {
    return new AdaptiveBucket(
        rules, atNanos, tokens, kept, reserved, rate, capacity, closedUntilNanos, known);
  }
}
