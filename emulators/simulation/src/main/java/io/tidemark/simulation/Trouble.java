package io.tidemark.simulation;

import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.simulation.scenario.Fault;
import io.tidemark.simulation.scenario.Fault.Kind;
import io.tidemark.simulation.scenario.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** The faults at this moment, and whether one hits the request at hand. */
final class Trouble implements CloudTemper {
  private final Scenario scenario;
  private final SplittableRandom random;
  private final Map<Kind, List<Fault>> active = new EnumMap<>(Kind.class);
  private boolean over;

  Trouble(Scenario scenario, SplittableRandom random) {
    this.scenario = scenario;
    this.random = random;
  }

  void begin(Fault fault) {
    active.computeIfAbsent(fault.kind(), kind -> new ArrayList<>()).add(fault);
  }

  void end(Fault fault) {
    List<Fault> of = active.get(fault.kind());
    if (of != null && of.remove(fault) && of.isEmpty()) {
      active.remove(fault.kind());
    }
  }

  /** The cluster settles: no more faults. */
  void over() {
    over = true;
    active.clear();
  }

  /** Whether a fault of this kind hits a request of {@code operation} now. */
  boolean hits(Kind kind, String operation) {
    List<Fault> of = active.get(kind);
    if (of == null) {
      return false;
    }
    for (Fault fault : of) {
      if ((fault.operation().isEmpty() || fault.operation().equals(operation))
          && random.nextDouble() < fault.share()) {
        return true;
      }
    }
    return false;
  }

  /** The largest share of the active faults of this kind. */
  double share(Kind kind) {
    double share = 0;
    for (Fault fault : active.getOrDefault(kind, List.of())) {
      share = Math.max(share, fault.share());
    }
    return share;
  }

  private long stepNanos(Kind kind) {
    long most = 0;
    List<Fault> of = active.get(kind);
    if (of != null) {
      for (Fault fault : of) {
        most = Math.max(most, fault.step().toNanos());
      }
    }
    return most;
  }

  /** Whether a write to the API server meets a change made just before. */
  boolean conflicts() {
    double share = over ? 0 : Math.max(scenario.store().conflicts(), share(Kind.STORE_CONFLICTS));
    return share > 0 && random.nextDouble() < share;
  }

  /** Until a watcher receives a change. */
  long watchLagNanos() {
    long most = Math.max(scenario.store().watchLag().toNanos(), stepNanos(Kind.WATCH_LAG));
    return most == 0 ? 0 : random.nextLong(most);
  }

  @Override
  public boolean refuses(String operation) {
    return hits(Kind.ERRORS, operation);
  }

  @Override
  public Duration readLag() {
    long most =
        over ? 0 : Math.max(scenario.cloud().staleness().toNanos(), stepNanos(Kind.STALE_READS));
    return most == 0 ? Duration.ZERO : Duration.ofNanos(random.nextLong(most));
  }
}
