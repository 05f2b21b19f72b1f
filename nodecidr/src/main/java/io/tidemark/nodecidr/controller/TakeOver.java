package io.tidemark.nodecidr.controller;

import java.time.Duration;
import java.util.Objects;

/** What the controller must assume of the leader before it. */
public sealed interface TakeOver {
  /** There was none, so no write of another process can still arrive. */
  record None() implements TakeOver {}

  /** It ended in order, after the last of its writes had a result. */
  record Clean() implements TakeOver {}

  /**
   * Writes of it may still arrive: no block is given out before a time has passed.
   *
   * @param pause from the start of this controller; at least as long as a server works on a request
   */
  record Hold(Duration pause) implements TakeOver {
    public Hold {
      Objects.requireNonNull(pause, "pause");
    }
  }

  static TakeOver none() {
    return new None();
  }

  static TakeOver clean() {
    return new Clean();
  }

  static TakeOver hold(Duration pause) {
    return new Hold(pause);
  }
}
