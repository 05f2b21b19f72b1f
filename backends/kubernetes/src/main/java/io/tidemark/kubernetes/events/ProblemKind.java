package io.tidemark.kubernetes.events;

import io.tidemark.cluster.EventWording;
import io.tidemark.error.ErrorCode;

/**
 * A kind of problem, of which an object has at most one at a time.
 *
 * @param key tells it from others, also from those of the same reason
 * @param component who reports it
 * @param reason as it is shown
 */
record ProblemKind(String key, String component, String reason) {
  static ProblemKind of(ErrorCode code, EventWording wording) {
    return new ProblemKind(
        EventWording.USUAL.reason(code), wording.component(), wording.reason(code));
  }
}
