package io.tidemark.simulation;

import io.tidemark.simulation.Operators.Staffing;
import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.simulation.cloud.MockSimulatedCloud;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.store.Sight;
import io.tidemark.time.TimeSource;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster in virtual time on the calling thread: operators with the real engine, agents,
 * API server, cloud, faults, and the invariants that must hold (docs/simulation.md). Configure,
 * then {@link #run} once.
 */
public final class ClusterSimulation {
  final Scenario scenario;
  CloudFactory clouds = MockSimulatedCloud::new;
  @Nullable Consumer<String> reader;
  Progress progress = Progress.SILENT;
  Optional<Consumer<OperatorSnapshot>> states = Optional.empty();
  Optional<CrashPoint> crashPoint = Optional.empty();
  OperatorParts parts = OperatorParts.GENUINE;
  Staffing staffing = Staffing.ONE;
  boolean firstViolationEnds;

  /** Makes the cloud of a run. */
  @FunctionalInterface
  public interface CloudFactory {
    /** An account with the scenario's networks and instance types and nothing else. */
    SimulatedCloud create(Scenario scenario, VirtualTime time, CloudTemper temper, long seed);

    /** The form of a scenario, drawn for any cloud, for this cloud; by default nothing else. */
    default Scenario suited(Scenario drawn) {
      return drawn;
    }
  }

  /** A run of this scenario on the mock cloud. */
  public ClusterSimulation(Scenario scenario) {
    this.scenario = Objects.requireNonNull(scenario, "scenario");
  }

  /** Runs on another cloud. */
  public ClusterSimulation on(CloudFactory other) {
    clouds = other;
    return this;
  }

  /** Writes every event, one line each; this makes the run slower, not different. */
  public ClusterSimulation traced(Consumer<String> lines) {
    reader = lines;
    return this;
  }

  /** Reports progress from time to time. */
  public ClusterSimulation reporting(Progress listener) {
    progress = listener;
    return this;
  }

  /** Reports the state of the cluster from time to time, while an operator runs. */
  public ClusterSimulation recording(Consumer<OperatorSnapshot> listener) {
    states = Optional.of(listener);
    return this;
  }

  /** Crashes the operator, or loses an answer, at this point. */
  public ClusterSimulation hitting(CrashPoint point) {
    crashPoint = Optional.of(point);
    return this;
  }

  /** Puts other parts into the operators. */
  public ClusterSimulation with(OperatorParts faulty) {
    parts = faulty;
    return this;
  }

  /** Lets this many operators compete for the lease; only its holder works. */
  public ClusterSimulation electing(int operators) {
    staffing = staffing.withElection(operators);
    return this;
  }

  /** Limits what the first operator sees of the store. */
  public ClusterSimulation firstSees(Sight sight) {
    staffing = staffing.withFirstSight(sight);
    return this;
  }

  /** Chooses how a dead operator is replaced. */
  public ClusterSimulation succeededBy(Succession succession) {
    staffing = staffing.withSuccession(succession);
    return this;
  }

  /** Ends the run soon after the first violation. */
  public ClusterSimulation untilViolation() {
    firstViolationEnds = true;
    return this;
  }

  /** Runs it to the end. {@code wall} measures the time it takes and has no other influence. */
  public SimulationReport run(TimeSource wall) {
    long began = wall.nanos();
    SimulationReport report = new SimulationRun(this).run();
    return report.withWallSeconds(SimulationReport.millis(wall.nanos() - began));
  }

  /**
   * The result of a run, and the requests of its operators.
   *
   * @param events changes of the store that operators received, where a {@link Sight} is given
   * @param lack the longest time that a node lacked addresses which the cloud had
   * @param end the state of each node at the end, without addresses and ids, by name
   * @param resources the object of each node at the end as JSON, by name
   */
  public record Watched(
      SimulationReport report,
      CrashWatch crashes,
      int events,
      Duration lack,
      SortedMap<String, NodeEnd> end,
      SortedMap<String, String> resources) {}

  /** Runs it, counts the requests and reports whether the crash point was reached. */
  public Watched runWatched() {
    return new SimulationRun(this).runWatched();
  }

  Scenario scenario() {
    return scenario;
  }

  Progress progress() {
    return progress;
  }
}
