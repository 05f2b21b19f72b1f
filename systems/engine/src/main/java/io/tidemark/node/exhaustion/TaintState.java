package io.tidemark.node.exhaustion;

import io.tidemark.error.ErrorCode;
import io.tidemark.spi.Blocked;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Whether a node is tainted, and why; the next state follows from the supply. Pure. */
sealed interface TaintState {
  /** After it half of the wanted addresses, or of those that it has, are enough. */
  Duration HALF_IS_ENOUGH = Duration.ofMinutes(5);

  /**
   * Full scans of the cloud that have to end before their readings count: the first may have begun
   * before the node had none, so that two agree.
   */
  int READINGS = 3;

  /**
   * The circumstances of a decision beside the supply.
   *
   * @param now monotonic, in nanoseconds
   * @param delay how long a node has no address before it is tainted
   * @param scans full scans of the cloud that succeeded so far
   * @param trusted whether the cloud's API answers, and what was read of it is not old
   * @param share of the node's group, the node included
   */
  record Moment(long now, Duration delay, long scans, boolean trusted, GroupShare share) {
    boolean isPast(long sinceNanos, Duration span) {
      return now - sinceNanos >= span.toNanos();
    }
  }

  /** The next state. */
  TaintState next(AddressSupply supply, Moment moment);

  /** When to decide again even if nothing changes; may have passed. */
  default OptionalLong due(Moment moment) {
    return OptionalLong.empty();
  }

  /** Whether pods are kept away. */
  default boolean isTainted() {
    return this instanceof Tainted || this instanceof Inherited;
  }

  /** The reason as the node shows it; empty where nothing is to be shown, or what is stays. */
  default Optional<Blocked> shown() {
    return Optional.empty();
  }

  private static boolean isEnough(AddressSupply supply, long sinceNanos, Moment moment) {
    int half = Math.max(1, (Math.min(supply.wanted(), supply.held()) + 1) / 2);
    return supply.free() >= (moment.isPast(sinceNanos, HALF_IS_ENOUGH) ? half : supply.wanted());
  }

  /** The reason to show: the newest one whose remedy is more than to wait. */
  private static Blocked better(Optional<Blocked> before, Blocked now) {
    return now.reason().kind() == ErrorCode.Kind.RETRYABLE ? before.orElse(now) : now;
  }

  private static boolean isCertain(AddressSupply supply, long scansBefore, Moment moment) {
    return supply.certain() || (supply.isOfCapacity() && moment.scans() - scansBefore >= READINGS);
  }

  /** The node has addresses, or may get some. */
  record Served() implements TaintState {
    static final Served SERVED = new Served();

    @Override
    public TaintState next(AddressSupply supply, Moment moment) {
      return supply.free() > 0 || supply.obstacle().isEmpty()
          ? this
          : Exhausted.since(moment).next(supply, moment);
    }
  }

  /**
   * The node has no free address. A node that tries again has no obstacle for a moment.
   *
   * @param sinceNanos since when it has none and cannot get one
   * @param scans before that
   * @param tryingNanos since when it has no obstacle; empty while it has one
   * @param why the reason to show; empty before the first look at it
   */
  record Exhausted(long sinceNanos, long scans, OptionalLong tryingNanos, Optional<Blocked> why)
      implements TaintState {
    private static Exhausted since(Moment moment) {
      return new Exhausted(moment.now(), moment.scans(), OptionalLong.empty(), Optional.empty());
    }

    @Override
    public TaintState next(AddressSupply supply, Moment moment) {
      if (supply.free() > 0) {
        return Served.SERVED;
      }
      if (supply.obstacle().isEmpty()) {
        OptionalLong since = tryingNanos.isPresent() ? tryingNanos : OptionalLong.of(moment.now());
        return new Exhausted(sinceNanos, scans, since, why);
      }
      if (tryingNanos.isPresent() && moment.isPast(tryingNanos.getAsLong(), moment.delay())) {
        return since(moment);
      }
      Blocked reason = better(why, supply.obstacle().get());
      boolean allowed = moment.share().hasRoom() || isCertain(supply, scans, moment);
      return isDue(moment) && moment.trusted() && allowed
          ? new Tainted(moment.now(), scans, reason)
          : new Exhausted(sinceNanos, scans, OptionalLong.empty(), Optional.of(reason));
    }

    boolean isDue(Moment moment) {
      return tryingNanos.isEmpty() && moment.isPast(sinceNanos, moment.delay());
    }

    /** Empty once the delay is over: the next scan, or an event, decides. */
    @Override
    public OptionalLong due(Moment moment) {
      return tryingNanos.isPresent() || isDue(moment)
          ? OptionalLong.empty()
          : OptionalLong.of(sinceNanos + moment.delay().toNanos());
    }
  }

  /**
   * Tainted by this operator.
   *
   * @param scans before the node had no address
   */
  record Tainted(long sinceNanos, long scans, Blocked why) implements TaintState {
    @Override
    public TaintState next(AddressSupply supply, Moment moment) {
      if (isEnough(supply, sinceNanos, moment)) {
        return Served.SERVED;
      }
      if (supply.obstacle().isEmpty()) { // it tries: one look that finds room proves none
        return this;
      }
      if (moment.trusted() && moment.share().isOver() && !isCertain(supply, scans, moment)) {
        return new Exhausted(moment.now(), scans, OptionalLong.empty(), Optional.of(why));
      }
      Blocked now = better(Optional.of(why), supply.obstacle().get());
      return now.reason() == why.reason() ? this : new Tainted(sinceNanos, scans, now);
    }

    @Override
    public OptionalLong due(Moment moment) {
      return OptionalLong.of(sinceNanos + HALF_IS_ENOUGH.toNanos());
    }

    @Override
    public Optional<Blocked> shown() {
      return Optional.of(why);
    }
  }

  /**
   * Tainted by an earlier operator; this one says so itself, or not, when the delay is over and the
   * cloud was read often enough to know.
   *
   * @param sinceNanos since when this operator knows it
   */
  record Inherited(long sinceNanos, long scans) implements TaintState {
    @Override
    public TaintState next(AddressSupply supply, Moment moment) {
      if (isEnough(supply, sinceNanos, moment)) {
        return Served.SERVED;
      }
      if (!moment.trusted()
          || !moment.isPast(sinceNanos, moment.delay())
          || supply.free() > 0
          || supply.obstacle().isEmpty()) {
        return this;
      }
      if (!moment.share().isOver() || isCertain(supply, scans, moment)) {
        return new Tainted(sinceNanos, scans, supply.obstacle().get());
      }
      return moment.scans() - scans >= READINGS
          ? new Exhausted(moment.now(), scans, OptionalLong.empty(), supply.obstacle())
          : this;
    }

    @Override
    public OptionalLong due(Moment moment) {
      Duration rest = moment.isPast(sinceNanos, moment.delay()) ? HALF_IS_ENOUGH : moment.delay();
      return OptionalLong.of(sinceNanos + rest.toNanos());
    }
  }
}
