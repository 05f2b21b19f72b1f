package io.tidemark.simulation;

import io.tidemark.simulation.store.Sight;
import io.tidemark.time.VirtualProcess.OnTheWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** The operators that run now, usually one. */
final class Operators {
  /** Of an operation that the cloud does not list. */
  private static final Duration OTHER_LATENCY = Duration.ofMillis(600);

  /**
   * How many operators run, and what they see.
   *
   * @param wanted number of operators, without faults
   * @param electing whether only the holder of the lease works
   * @param firstSight what the first one sees of the store
   * @param succession how a dead one is replaced
   */
  record Staffing(int wanted, boolean electing, Sight firstSight, Succession succession) {
    /** One that sees everything, and is restarted when it dies. */
    static final Staffing ONE = new Staffing(1, false, Sight.CLEAR, Succession.RESTART);

    /** Whether any of them sees less than everything. */
    boolean isDim() {
      return !firstSight.equals(Sight.CLEAR) || !succession.sight().equals(Sight.CLEAR);
    }

    Staffing withElection(int operators) {
      return new Staffing(operators, true, firstSight, succession);
    }

    Staffing withFirstSight(Sight sight) {
      return new Staffing(wanted, electing, sight, succession);
    }

    Staffing withSuccession(Succession other) {
      return new Staffing(wanted, electing, firstSight, other);
    }
  }

  private final Cluster cluster;
  private final Map<String, Duration> latencies = new HashMap<>();
  private final CrashWatch crashes;
  private final OperatorParts parts;
  private final Staffing staffing;
  private final SplittableRandom random;
  private final List<OperatorProcess> running = new ArrayList<>();
  private int started;
  private int begun;

  Operators(
      Cluster cluster,
      CrashWatch crashes,
      OperatorParts parts,
      Staffing staffing,
      SplittableRandom random) {
    this.cluster = cluster;
    this.crashes = crashes;
    this.parts = parts;
    this.staffing = staffing;
    this.random = random;
    cluster.cloud().operations().forEach(each -> latencies.put(each.name(), each.latency()));
    latencies.putAll(cluster.scenario().cloud().latencies());
  }

  /** Whether no other operator writes when one begins to work: an election ensures that. */
  boolean takesOver() {
    return staffing.electing() || staffing.succession().elected();
  }

  /** Whether operators work only while they hold the lease. */
  boolean electing() {
    return staffing.electing();
  }

  /** One begins to work; returns what it sees of the store. */
  Sight begins() {
    boolean first = ++begun == 1;
    if (!first) {
      cluster.invariants().leaderChanged();
    }
    return first ? staffing.firstSight() : staffing.succession().sight();
  }

  void dies(OperatorProcess operator) {
    die(operator, random.nextBoolean() ? OnTheWire.ARRIVES : OnTheWire.IS_LOST);
  }

  /** It dies as soon as the request at hand was sent; returns the latency of that request. */
  Duration diesWithLateRequest(OperatorProcess operator) {
    cluster.time().execute(() -> die(operator, OnTheWire.ARRIVES));
    return staffing.succession().pause().plus(staffing.succession().late());
  }

  /** Starts one more. */
  void start() {
    started++;
    OperatorProcess operator =
        new OperatorProcess(
            "operator-" + started,
            cluster,
            operation -> latencies.getOrDefault(operation, OTHER_LATENCY).toNanos(),
            crashes,
            parts,
            this,
            random.split());
    running.add(operator);
    operator.start();
  }

  /** Crashes one of them; the last one is replaced after {@code pause}. */
  void crash(Duration pause) {
    if (running.isEmpty()) {
      return;
    }
    OperatorProcess victim = running.remove(random.nextInt(running.size()));
    victim.crash(random.nextBoolean() ? OnTheWire.ARRIVES : OnTheWire.IS_LOST);
    replaceAfter(pause);
  }

  private void die(OperatorProcess victim, OnTheWire requests) {
    if (running.remove(victim)) {
      victim.crash(requests);
      replaceAfter(staffing.succession().pause());
    }
  }

  private void replaceAfter(Duration pause) {
    if (running.size() < staffing.wanted()) {
      cluster
          .time()
          .at(
              cluster.time().nanos() + pause.toNanos(),
              () -> {
                if (running.size() < staffing.wanted()) {
                  start();
                }
              });
    }
  }

  /** Ends all but one. */
  void onlyOne() {
    while (running.size() > staffing.wanted()) {
      crash(Duration.ZERO);
    }
  }

  /** Pauses one of them. */
  void freeze(Duration pause) {
    if (!running.isEmpty()) {
      running.get(random.nextInt(running.size())).freeze(pause);
    }
  }

  /** How many events the running ones received. */
  int events() {
    return running.stream().mapToInt(OperatorProcess::events).sum();
  }

  /** Checks what each of them reports of its nodes. */
  void judge() {
    for (int i = 0; i < running.size(); i++) {
      running.get(i).judge();
    }
  }

  List<OperatorProcess> running() {
    return Collections.unmodifiableList(running);
  }
}
