package io.tidemark.emulator.kit.time;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The writes of the call that runs: when they happen, when readers see them, and how to take them
 * back. Every mutable part of a region notes its reverse here, so that a refused call leaves no
 * trace. Not thread-safe.
 */
public final class Ledger {
  private final Deque<Runnable> reverses = new ArrayDeque<>();
  private Instant now = Instant.EPOCH;
  private Instant visibleAt = Instant.EPOCH;
  private Instant oldestRead = Instant.EPOCH;

  /** Starts a call; what the one before it wrote stays. */
  public void begin(Instant instant, Instant visible, Instant oldest) {
    reverses.clear();
    now = instant;
    visibleAt = visible;
    oldestRead = oldest;
  }

  public Instant now() {
    return now;
  }

  public Instant visibleAt() {
    return visibleAt;
  }

  /** No reader asks for an earlier instant any more. */
  public Instant oldestRead() {
    return oldestRead;
  }

  /** Notes how to take back what was just done. */
  public void note(Runnable reverse) {
    reverses.push(reverse);
  }

  /** Takes everything since {@link #begin} back, latest first. */
  public void rollback() {
    while (!reverses.isEmpty()) {
      reverses.pop().run();
    }
  }
}
