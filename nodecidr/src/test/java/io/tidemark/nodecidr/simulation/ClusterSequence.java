package io.tidemark.nodecidr.simulation;

import io.tidemark.testing.Shrinker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What happens in a cluster, as data: the steps of a seed, or some of them.
 *
 * @param chosen numbers of the steps that are done, from 0
 */
record ClusterSequence(long seed, List<Integer> chosen) {
  private static final int LENGTH = 40;
  private static final int TRIES = 300;

  /** What can happen, and how often. */
  private enum Kind {
    CREATE(10),
    DELETE(5),
    RECREATE(3),
    BEGIN_DELETION(2),
    HEARTBEAT(2),
    FOREIGN_WRITE(1),
    CRASH(2),
    LOSE_LEASE(1),
    RESTART(2),
    OUTAGE(1),
    LAG(2),
    REMEMBER(2),
    STALE_LIST(2),
    PASS(4);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  private static final List<Kind> KINDS =
      Arrays.stream(Kind.values())
          .flatMap(kind -> Collections.nCopies(kind.weight, kind).stream())
          .toList();

  private record Step(Kind kind, long drawn, Duration after) {}

  ClusterSequence {
    chosen = List.copyOf(chosen);
  }

  /** Its first violation. */
  record Failure(ClusterSequence sequence, SimulatedCluster cluster, Throwable cause) {
    /** How it is run again, and what happened. */
    @Override
    public String toString() {
      return "-Dtidemark.nodecidr.clusters=1 -Dtidemark.nodecidr.first="
          + sequence.seed
          + " -Dtidemark.nodecidr.steps="
          + sequence.chosen.stream().map(String::valueOf).collect(Collectors.joining(","))
          + "\n"
          + cluster
          + "\n"
          + cause.getMessage();
    }
  }

  /** How it went. */
  record Run(SimulatedCluster cluster, Optional<Failure> failure) {}

  static ClusterSequence of(long seed) {
    return new ClusterSequence(seed, IntStream.range(0, LENGTH).boxed().toList());
  }

  /** Numbers with commas between them; empty text for none. */
  static ClusterSequence parse(long seed, String chosen) {
    return new ClusterSequence(
        seed,
        Arrays.stream(chosen.split(","))
            .filter(each -> !each.isEmpty())
            .map(Integer::valueOf)
            .toList());
  }

  Run run() {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    SimulatedCluster cluster = new SimulatedCluster(random.nextLong());
    List<Step> drawn = new ArrayList<>();
    for (int i = 0; i < LENGTH; i++) {
      Duration pause =
          Duration.ofMillis(random.nextInt(3) == 0 ? random.nextInt(100) : random.nextInt(30_000));
      drawn.add(new Step(KINDS.get(random.nextInt(KINDS.size())), random.nextLong() >>> 1, pause));
    }
    try {
      for (int each : chosen) {
        Step step = drawn.get(each);
        cluster.pass(step.after());
        step(cluster, step);
      }
      cluster.rest();
      return new Run(cluster, Optional.empty());
    } catch (AssertionError | RuntimeException e) {
      return new Run(cluster, Optional.of(new Failure(this, cluster, e)));
    }
  }

  private static void step(SimulatedCluster cluster, Step step) {
    long drawn = step.drawn();
    switch (step.kind()) {
      case CREATE -> cluster.create();
      case DELETE -> cluster.delete(drawn);
      case RECREATE -> cluster.recreate(drawn);
      case BEGIN_DELETION -> cluster.beginDeletion(drawn);
      case HEARTBEAT -> cluster.heartbeat(drawn);
      case FOREIGN_WRITE -> cluster.foreignWrite(drawn);
      case CRASH -> cluster.crash();
      case LOSE_LEASE -> cluster.loseLease();
      case RESTART -> cluster.restart();
      case OUTAGE -> cluster.outage(drawn);
      case LAG -> cluster.lag(drawn);
      case REMEMBER -> cluster.remember();
      case STALE_LIST -> cluster.staleList(drawn);
      case PASS -> cluster.pass(Duration.ofMinutes(3));
    }
  }

  /** A failure of as few steps as it takes; perhaps another one than the longer sequence has. */
  static Failure shortest(Failure failure) {
    long seed = failure.sequence().seed;
    List<Integer> chosen =
        Shrinker.shortest(
            failure.sequence().chosen,
            steps -> new ClusterSequence(seed, steps).run().failure().isPresent(),
            TRIES);
    return new ClusterSequence(seed, chosen).run().failure().orElse(failure);
  }

  /** Runs one seed in the classes of the loader that it was loaded by: the failure, or nothing. */
  public static final class Probe implements LongFunction<String> {
    @Override
    public String apply(long seed) {
      return of(seed).run().failure().map(it -> String.valueOf(it.cause().getMessage())).orElse("");
    }
  }
}
