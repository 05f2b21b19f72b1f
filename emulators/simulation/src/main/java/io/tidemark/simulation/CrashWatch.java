package io.tidemark.simulation;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts the operators' requests and crashes one at the chosen point, once. */
public final class CrashWatch {
  private final Optional<CrashPoint> point;
  private final SortedMap<String, Integer> occurrences = new TreeMap<>();
  private boolean struck;
  private boolean armed;

  CrashWatch(Optional<CrashPoint> point) {
    this.point = point;
  }

  /** Number of requests per operation. */
  public SortedMap<String, Integer> occurrences() {
    return Collections.unmodifiableSortedMap(occurrences);
  }

  /** Whether the chosen point was reached. */
  public boolean hasStruck() {
    return struck;
  }

  /** Counts one request; true if it is the chosen one and its response is to be lost. */
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

  /** The request that was just counted is about to leave; {@code dies} ends its operator. */
  void before(String operation, Runnable dies) {
    strike(operation, CrashPoint.Moment.BEFORE, dies);
  }

  /** Whether the request that was just counted is the chosen one and is to arrive late. */
  boolean isLate(String operation) {
    boolean[] late = new boolean[1];
    strike(operation, CrashPoint.Moment.LATE, () -> late[0] = true);
    return late[0];
  }

  /** A request had its effect; {@code dies} ends its operator. */
  void after(String operation, Runnable dies) {
    strike(operation, CrashPoint.Moment.AFTER, dies);
  }

  private void strike(String operation, CrashPoint.Moment moment, Runnable dies) {
    if (armed
        && !struck
        && point.isPresent()
        && point.get().moment() == moment
        && point.get().operation().equals(operation)) {
      struck = true;
      dies.run();
    }
  }
}
