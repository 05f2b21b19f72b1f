package io.tidemark.resilience;

import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * For whom a request is made, its priority, deadline and cancellation. Immutable except for the
 * token that it can carry; thread-safe.
 */
public final class CallContext {
  /** How long compensation may continue after the deadline of the work that it compensates. */
  public static final Duration COMPENSATION_GRACE = Duration.ofSeconds(30);

  private final String node;
  private final Priority priority;
  private final long deadlineNanos;
  private final Cancellation cancellation;
  private final @Nullable CallToken token;
  private final @Nullable Arrival arrival;

  /**
   * When a call or admission was requested; it keeps its age through all its attempts.
   *
   * @param nanos monotonic instant
   * @param sequence order among arrivals, also at the same instant
   */
  record Arrival(long nanos, long sequence) {}

  private CallContext(
      String node,
      Priority priority,
      long deadlineNanos,
      Cancellation cancellation,
      @Nullable CallToken token,
      @Nullable Arrival arrival) {
    this.node = node;
    this.priority = priority;
    this.deadlineNanos = deadlineNanos;
    this.cancellation = cancellation;
    this.token = token;
    this.arrival = arrival;
  }

  /**
   * A context without a token.
   *
   * @param node the node's name, empty for account-wide work
   * @param deadlineNanos monotonic instant by which every stage of it has completed, including
   *     waiting
   */
  public static CallContext of(
      String node, Priority priority, long deadlineNanos, Cancellation cancellation) {
    return new CallContext(node, priority, deadlineNanos, cancellation, null, null);
  }

  /**
   * A context without a token for work that may take {@code time} from now.
   *
   * @param node the node's name, empty for account-wide work
   */
  public static CallContext within(
      Duration time, TimeSource clock, String node, Priority.Rank rank, Cancellation cancellation) {
    return of(node, Priority.of(rank), clock.nanos() + time.toNanos(), cancellation);
  }

  /** The node's name, empty for account-wide work. */
  public String node() {
    return node;
  }

  /** Its priority when the context was made. */
  public Priority priority() {
    return priority;
  }

  /** Monotonic instant of the deadline. */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** Cancels the work. */
  public Cancellation cancellation() {
    return cancellation;
  }

  /** Whether nothing must be sent any more. */
  public boolean isCancelled() {
    return cancellation.isCancelled();
  }

  /** The admitted token, if any; the first {@link CloudCalls#call} of its kind takes it. */
  public Optional<CallToken> token() {
    return Optional.ofNullable(token);
  }

  /** The same work with an admitted token. */
  public CallContext withToken(CallToken admitted) {
    return new CallContext(node, priority, deadlineNanos, cancellation, admitted, arrival);
  }

  /** The same work with a token that it has waited for since {@code asked}. */
  CallContext admitted(CallToken granted, Arrival asked) {
    return new CallContext(node, priority, deadlineNanos, cancellation, granted, asked);
  }

  /** When the work requested its first token; all its calls keep that age. */
  Optional<Arrival> arrival() {
    return Optional.ofNullable(arrival);
  }

  /** The same work, ending no later than {@code nanos}; keeps the token. */
  public CallContext until(long nanos) {
    return nanos - deadlineNanos >= 0
        ? this
        : new CallContext(node, priority, nanos, cancellation, token, arrival);
  }

  /**
   * For reverting or finishing partial work: not stopped by this context's cancellation, {@link
   * #COMPENSATION_GRACE} longer, rank {@link Priority.Rank#REPAIR}, without a token.
   */
  public CallContext compensating() {
    return new CallContext(
        node,
        Priority.of(Priority.Rank.REPAIR),
        deadlineNanos + COMPENSATION_GRACE.toNanos(),
        new Cancellation(),
        null,
        null);
  }

  /** Returns an unused token; does nothing without one. */
  public void giveBackToken() {
    if (token != null) {
      token.giveBack();
    }
  }
}
