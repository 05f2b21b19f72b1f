package io.tidemark.nodecidr.controller;

import java.time.Duration;
import java.util.Optional;

/**
 * The assumptions of the controller about the leader before it.
 *
 * @param hold as {@link #hold} says; empty when no write of another process can still arrive
 * @param note the note that it left in the lease; empty when it left none
 */
public record CidrTakeOver(Optional<Duration> hold, Optional<String> note) {
  /** There was none, or one without a note that ended after the last of its writes had a result. */
  public static CidrTakeOver clean() {
    return new CidrTakeOver(Optional.empty(), Optional.empty());
  }

  /**
   * Writes of it may still arrive: for a pause from the start of this controller, at least as long
   * as a server works on a request, only blocks are given out that none of them can bear, by what
   * it left, and none when it left nothing.
   */
  public static CidrTakeOver hold(Duration pause) {
    return new CidrTakeOver(Optional.of(pause), Optional.empty());
  }

  /**
   * By the {@link NodeCidrController#NOTE} that the former leader left in the lease, which also
   * says whether it ended in order; if not, as {@link #hold} says.
   */
  public static CidrTakeOver of(String note, Duration pause) {
    boolean ended = HandOver.parse(note).filter(HandOver::ended).isPresent();
    return new CidrTakeOver(ended ? Optional.empty() : Optional.of(pause), Optional.of(note));
  }
}
