package io.tidemark.nodecidr.controller;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** The assumptions of the controller about the leader before it. */
public sealed interface TakeOver {
  /** There was none, so no write of another process can still arrive. */
  record None() implements TakeOver {}

  /**
   * It ended in order, after the last of its writes had a result.
   *
   * @param note what it left; empty when it left none
   */
  record Clean(Optional<String> note) implements TakeOver {
    public Clean {
      Objects.requireNonNull(note, "note");
    }
  }

  /**
   * Writes of it may still arrive: for some time only blocks are given out that none of them can
   * bear, by what it left, and none when it left nothing.
   *
   * @param pause from the start of this controller; at least as long as a server works on a request
   * @param note what it left; empty when it left none
   */
  record Hold(Duration pause, Optional<String> note) implements TakeOver {
    public Hold {
      Objects.requireNonNull(pause, "pause");
      Objects.requireNonNull(note, "note");
    }
  }

  static TakeOver none() {
    return new None();
  }

  static TakeOver clean() {
    return new Clean(Optional.empty());
  }

  static TakeOver hold(Duration pause) {
    return new Hold(pause, Optional.empty());
  }

  /**
   * By what the former leader left in the lease, which also says whether it ended in order.
   *
   * @param note its note named {@link NodeCidrController#NOTE}
   * @param pause as for {@link #hold}
   */
  static TakeOver of(String note, Duration pause) {
    boolean ended = HandOver.parse(note).filter(HandOver::ended).isPresent();
    return ended ? new Clean(Optional.of(note)) : new Hold(pause, Optional.of(note));
  }
}
