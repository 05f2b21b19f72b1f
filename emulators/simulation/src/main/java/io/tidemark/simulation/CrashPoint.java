package io.tidemark.simulation;

import java.util.List;

/**
 * Where a fault hits the operator: the {@code occurrence}th time, from 1, that it performs {@code
 * operation}, a request to the cloud or the API server.
 */
public record CrashPoint(String operation, int occurrence, Moment moment) {
  /** When, relative to the effect of the request. */
  public enum Moment {
    /** The operator dies; the request never leaves. */
    BEFORE,
    /** The request takes effect; the operator dies before the response. */
    AFTER,
    /** The request takes effect; its response is lost and the operator lives on. */
    ANSWER_LOST,
    /**
     * The operator dies while the request is in flight; it arrives while the next operator acts.
     */
    LATE
  }

  /** The moments around the effect itself. */
  public static final List<Moment> AROUND_EFFECT =
      List.of(Moment.BEFORE, Moment.AFTER, Moment.ANSWER_LOST);

  @Override
  public String toString() {
    return operation + " #" + occurrence + " " + moment;
  }
}
