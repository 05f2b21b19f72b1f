package io.tidemark.simulation;

import io.tidemark.time.VirtualProcess.OnTheWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** The operators that run now: one, mostly. */
final class Operators {
  private final Cluster cluster;
  private final LatencyTable latencies;
  private final CrashWatch crashes;
  private final OperatorParts parts;
  private final SplittableRandom random;
  private final List<OperatorProcess> running = new ArrayList<>();
  private int started;

  Operators(Cluster cluster, CrashWatch crashes, OperatorParts parts, SplittableRandom random) {
    this.cluster = cluster;
    this.latencies = new LatencyTable(cluster.scenario());
    this.crashes = crashes;
    this.parts = parts;
    this.random = random;
    crashes.onCrash(() -> crash(Duration.ofSeconds(3)));
  }

  /** Starts one more. */
  void start() {
    if (++started > 1) {
      cluster.invariants().leaderChanged();
    }
    OperatorProcess operator =
        new OperatorProcess(
            "operator-" + started, cluster, latencies, crashes, parts, random.split());
    running.add(operator);
    operator.start();
  }

  /** Ends one of those that run; the last one is replaced after {@code pause}. */
  void crash(Duration pause) {
    if (running.isEmpty()) {
      return;
    }
    OperatorProcess victim = running.remove(random.nextInt(running.size()));
    victim.crash(random.nextBoolean() ? OnTheWire.ARRIVES : OnTheWire.IS_LOST);
    if (running.isEmpty()) {
      cluster
          .time()
          .at(
              cluster.time().nanos() + pause.toNanos(),
              () -> {
                if (running.isEmpty()) {
                  start();
                }
              });
    }
  }

  /** Ends all but one. */
  void onlyOne() {
    while (running.size() > 1) {
      crash(Duration.ZERO);
    }
  }

  /** Lets one of them stand still. */
  void freeze(Duration pause) {
    if (!running.isEmpty()) {
      running.get(random.nextInt(running.size())).freeze(pause);
    }
  }

  List<OperatorProcess> running() {
    return Collections.unmodifiableList(running);
  }

  /** How many operators were started in all. */
  int started() {
    return started;
  }
}
