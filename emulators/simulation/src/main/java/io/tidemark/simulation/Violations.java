package io.tidemark.simulation;

import io.tidemark.time.TimeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects violations, each kind once per node, and a bounded number. */
final class Violations {
  private static final int MOST = 40;

  private final TimeSource time;
  private final EventTrace trace;
  private final List<Violation> list = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();

  Violations(TimeSource time, EventTrace trace) {
    this.time = time;
    this.trace = trace;
  }

  void add(String invariant, String node, String detail) {
    trace.note(() -> "VIOLATION " + invariant + " on " + node + ": " + detail);
    if (list.size() < MOST && seen.add(invariant + " " + node)) {
      list.add(new Violation(invariant, node, SimulationReport.millis(time.nanos()), detail));
    }
  }

  boolean isEmpty() {
    return list.isEmpty();
  }

  List<Violation> list() {
    return Collections.unmodifiableList(list);
  }
}
