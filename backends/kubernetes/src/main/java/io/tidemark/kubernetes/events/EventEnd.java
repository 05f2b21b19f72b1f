package io.tidemark.kubernetes.events;

import io.tidemark.kubernetes.ApiFailure;

/** How one request about an Event ended. */
sealed interface EventEnd {
  /**
   * The server has it.
   *
   * @param count as the server has it
   */
  record Stored(int count) implements EventEnd {}

  /** It is there already, from an earlier process. */
  record Exists() implements EventEnd {}

  /** It is not there any more: servers forget Events, usually after an hour. */
  record Forgotten() implements EventEnd {}

  /** It did not work. */
  record Failed(ApiFailure failure) implements EventEnd {}
}
