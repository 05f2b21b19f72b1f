package io.tidemark.simulation;

import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.time.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/** Runs one simulation per seed, several at once on the caller's threads. */
public final class SeedRun {
  private final LongFunction<ClusterSimulation> simulations;
  private final LongFunction<String> replay;
  private final TimeSource wall;
  private final Object lock = new Object();
  private final List<Failure> failures = new ArrayList<>();
  private long nodes;
  private double virtualSeconds;

  /**
   * A run over seeds.
   *
   * @param scenarios the scenario of each seed; called on several threads
   * @param wall measures the time each run takes
   */
  public SeedRun(LongFunction<Scenario> scenarios, TimeSource wall) {
    this(seed -> new ClusterSimulation(scenarios.apply(seed)), SeedRun::replay, wall);
  }

  /**
   * A run over seeds of any cloud.
   *
   * @param simulations the simulation of each seed; called on several threads
   * @param replay the command that runs a seed again
   */
  public SeedRun(
      LongFunction<ClusterSimulation> simulations, LongFunction<String> replay, TimeSource wall) {
    this.simulations = Objects.requireNonNull(simulations, "simulations");
    this.replay = Objects.requireNonNull(replay, "replay");
    this.wall = Objects.requireNonNull(wall, "wall");
  }

  /**
   * A seed whose run broke an invariant.
   *
   * @param replay the command that runs it again
   */
  public record Failure(long seed, String replay, SimulationReport report) {
    /** How to replay it, and its violations. */
    @Override
    public String toString() {
      return "seed "
          + seed
          + " fails; replay it with\n  "
          + replay
          + "\n  "
          + report.violations().get(0);
    }
  }

  /**
   * The results of all seeds together.
   *
   * @param nodes of all seeds together
   * @param failures seeds ascending
   */
  public record Summary(long seeds, long nodes, double virtualSeconds, List<Failure> failures) {
    public Summary {
      failures = List.copyOf(failures);
    }
  }

  /** The command that runs the random cluster of one seed again. */
  public static String replay(long seed) {
    return "./tidemark simulate --random --seed " + seed + " --trace";
  }

  /** The command that runs the random cluster of one seed and size again. */
  public static String replay(long seed, int nodes) {
    return "./tidemark simulate --random --seed " + seed + " --nodes " + nodes + " --trace";
  }

  /**
   * Runs the seeds from {@code from} to {@code to}, the latter excluded.
   *
   * @param executor runs {@code workers} long tasks; ends them all before the stage ends
   */
  public CompletionStage<Summary> run(long from, long to, Executor executor, int workers) {
    AtomicLong next = new AtomicLong(from);
    CompletableFuture<?>[] all = new CompletableFuture<?>[workers];
    for (int i = 0; i < workers; i++) {
      all[i] = CompletableFuture.runAsync(() -> work(next, to), executor);
    }
    return CompletableFuture.allOf(all).thenApply(done -> summary(to - from));
  }

  private void work(AtomicLong next, long to) {
    for (long seed = next.getAndIncrement(); seed < to; seed = next.getAndIncrement()) {
      SimulationReport report = simulations.apply(seed).run(wall);
      synchronized (lock) {
        nodes += report.nodes();
        virtualSeconds += report.virtualSeconds();
        if (!report.violations().isEmpty()) {
          failures.add(new Failure(seed, replay.apply(seed), report));
        }
      }
    }
  }

  private Summary summary(long seeds) {
    synchronized (lock) {
      failures.sort(Comparator.comparingLong(Failure::seed));
      return new Summary(seeds, nodes, virtualSeconds, failures);
    }
  }
}
