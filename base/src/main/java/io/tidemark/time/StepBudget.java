package io.tidemark.time;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends a world that does not come to rest. Only the last steps before the end are noted, so that
 * counting costs one comparison per step.
 */
final class StepBudget {
  private static final int NOTED = 24;

  private final long total;
  private final long perInstant;
  private final List<String> notes = new ArrayList<>();
  private long steps;
  private long end;

  StepBudget(long total, long perInstant) {
    if (total < 1 || perInstant < 1) {
      throw new IllegalArgumentException(
          "steps are " + total + ", per instant " + perInstant + "; expected 1 or more");
    }
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

  void step(long nanos, @Nullable VirtualProcess process, Runnable task) {
    if (++steps > end - NOTED) {
      note(nanos, process, task);
    }
  }

  private void note(long nanos, @Nullable VirtualProcess process, Runnable task) {
    notes.add(nanos + " ns [" + (process == null ? "world" : process.name()) + "] " + task);
    if (steps > end) {
      throw new VirtualTime.Livelock(
          "no rest after "
              + steps
              + " steps (limits: "
              + total
              + " in all, "
              + perInstant
              + " per instant); the last ones:\n  "
              + String.join("\n  ", notes));
    }
  }
}
