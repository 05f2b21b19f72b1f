package io.tidemark.time;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds out that a world does not come to rest. Only the last steps before the end are noted, so
 * that counting costs one comparison per step.
 */
final class StepBudget {
  private static final int NOTED = 24;

  private final long total;
  private final long perInstant;
  private final List<String> notes = new ArrayList<>();
  private long steps;
  private long end;

  StepBudget(long total, long perInstant) {
    this.total = total;
    this.perInstant = perInstant;
    timePassed();
  }

  long steps() {
    return steps;
  }

  void timePassed() {
    end = steps > total - perInstant ? total : steps + perInstant;
    if (!notes.isEmpty()) {
      notes.clear();
    }
  }

  /** Counts a step of {@code process}; false when it is one too many. */
  boolean step(long nanos, String process, Runnable task) {
    if (++steps > end - NOTED) {
      notes.add(nanos + " ns [" + process + "] " + task);
    }
    return steps <= end;
  }

  /** The limits and the last steps, for people. */
  String report() {
    return "no rest after "
        + steps
        + " steps (limits: "
        + total
        + " in all, "
        + perInstant
        + " per instant); the last ones:\n  "
        + String.join("\n  ", notes);
  }
}
