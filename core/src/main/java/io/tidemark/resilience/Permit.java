package io.tidemark.resilience;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The right to send one request of one kind: a token and, so that one hung kind cannot take all
 * workers, a place among those of its kind. Thread-safe.
 */
final class Permit implements CallToken {
  private enum State {
    RESERVED,
    TAKEN,
    OVER
  }

  private final TokenQueue queue;
  private final long expiresNanos;
  private final AtomicReference<State> state = new AtomicReference<>(State.RESERVED);

  /**
   * @param expiresNanos instant after which nobody may use it any more
   */
  Permit(TokenQueue queue, long expiresNanos) {
    this.queue = queue;
    this.expiresNanos = expiresNanos;
  }

  TokenQueue queue() {
    return queue;
  }

  long expiresNanos() {
    return expiresNanos;
  }

  @Override
  public CallKind kind() {
    return queue.kind();
  }

  @Override
  public boolean take() {
    if (!state.compareAndSet(State.RESERVED, State.TAKEN)) {
      return false;
    }
    queue.spent(this);
    return true;
  }

  @Override
  public void giveBack() {
    if (state.compareAndSet(State.RESERVED, State.OVER)) {
      queue.returned(this);
    }
  }

  /** The request that took it has left the wire: its worker is free again. */
  void over() {
    if (state.compareAndSet(State.TAKEN, State.OVER)) {
      queue.finished();
    }
  }

  /** Looks for the next request, once the end of this one was told. */
  void dispatchNext() {
    queue.dispatch();
  }
}
