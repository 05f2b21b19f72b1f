package io.tidemark.node;

import io.tidemark.resilience.Failure;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Whether the cloud may be changed at all (node-manager 5.2, 13 D-9), and if not, for what reason:
 * closed by a failed full scan or by the operator's own code, opened by a full scan that worked. A
 * single node never changes it; breakers per kind of request are in the cloud door. Thread-safe.
 */
final class InstancesApiReadiness {
  private static final State READY = new State(true, Optional.empty());

  private final Consumer<Boolean> changed;
  private final Runnable otherCause;
  private volatile State state = READY;

  /**
   * The present state.
   *
   * @param cause how the last full scan failed; empty when ready, and when none has failed
   */
  private record State(boolean ready, Optional<Failure> cause) {
    /** A refusal of our own breaker hides what made it refuse, so the older cause stays. */
    State failed(Failure failure) {
      boolean keep = !ready && cause.isPresent() && failure.isOfBreaker();
      return keep ? this : new State(false, Optional.of(failure));
    }

    boolean sameCause(State other) {
      return cause.map(State::key).equals(other.cause.map(State::key));
    }

    /** Details hold ids of requests, which are others with each failure. */
    private static String key(Failure failure) {
      return failure.kind() + " " + failure.condition();
    }
  }

  /**
   * Ready at first. The listeners are called on the thread that made the change.
   *
   * @param changed receives every change of the readiness
   * @param otherCause is called when it stays closed for another kind of reason
   */
  InstancesApiReadiness(Consumer<Boolean> changed, Runnable otherCause) {
    this.changed = changed;
    this.otherCause = otherCause;
  }

  boolean isReady() {
    return state.ready();
  }

  /** Whether the cloud was not read yet: it is closed, and no full scan has failed. */
  boolean isUnread() {
    State now = state;
    return !now.ready() && now.cause().isEmpty();
  }

  /** Opens it, or closes it without a cause. */
  void set(boolean now) {
    change(before -> now ? READY : new State(false, Optional.empty()));
  }

  /** Closes it, because a full scan failed. */
  void failed(Failure failure) {
    change(before -> before.failed(failure));
  }

  private void change(UnaryOperator<State> how) {
    State before;
    State now;
    synchronized (this) {
      before = state;
      now = how.apply(before);
      state = now;
    }
    if (before.ready() != now.ready()) {
      changed.accept(now.ready());
    } else if (!before.sameCause(now)) {
      otherCause.run();
    }
  }

  /** Why nothing may be changed, with the last failure; empty while it may. */
  Optional<Blocked> blocked() {
    State now = state;
    return now.ready()
        ? Optional.empty()
        : Optional.of(new Blocked(BlockedReason.INSTANCES_API_UNSTABLE, sentence(now.cause())));
  }

  private static String sentence(Optional<Failure> cause) {
    return cause
        .map(failure -> "the last full scan failed with " + failure.toText())
        .orElse("the cloud was not read yet");
  }
}
