package io.tidemark.simulation;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts what the operators ask for and strikes at the chosen crash point, once. */
public final class CrashWatch {
  private final Optional<CrashPoint> point;
  private final SortedMap<String, Integer> occurrences = new TreeMap<>();
  private Runnable crash = () -> {};
  private boolean struck;
  private boolean armed;

  CrashWatch(Optional<CrashPoint> point) {
    this.point = point;
  }

  /** What ends the operator that is running now. */
  void onCrash(Runnable action) {
    crash = action;
  }

  /** How often each operation was asked for. */
  public SortedMap<String, Integer> occurrences() {
    return Collections.unmodifiableSortedMap(occurrences);
  }

  /** Whether the chosen point was reached. */
  public boolean hasStruck() {
    return struck;
  }

  /** Counts one request; true when it is the chosen one and its answer shall get lost. */
  boolean answerIsLost(String operation) {
    int number = occurrences.merge(operation, 1, Integer::sum);
    if (struck
        || point.isEmpty()
        || number != point.get().occurrence()
        || !operation.equals(point.get().operation())) {
      return false;
    }
    armed = true;
    struck = point.get().moment() == CrashPoint.Moment.ANSWER_LOST;
    return struck;
  }

  /** The request that was just counted is about to leave. */
  void before(String operation) {
    strike(operation, CrashPoint.Moment.BEFORE);
  }

  /** A request had its effect. */
  void after(String operation) {
    strike(operation, CrashPoint.Moment.AFTER);
  }

  private void strike(String operation, CrashPoint.Moment moment) {
    if (armed
        && !struck
        && point.isPresent()
        && point.get().moment() == moment
        && point.get().operation().equals(operation)) {
      struck = true;
      crash.run();
    }
  }
}
