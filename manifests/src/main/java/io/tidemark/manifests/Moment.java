package io.tidemark.manifests;

import io.tidemark.time.TimeSource;

/** One reading of both clocks. */
record Moment(long nanos, long epochMillis) {
  static Moment now(TimeSource time) {
    return new Moment(time.nanos(), time.epochMillis());
  }
}
