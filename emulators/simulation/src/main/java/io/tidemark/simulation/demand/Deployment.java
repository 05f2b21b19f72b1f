package io.tidemark.simulation.demand;

import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A deployment of which an autoscaler sets the replicas by the time of day, and which is updated.
 */
final class Deployment {
  /** The autoscaler's period, and how far the replicas may be from what it wants. */
  private static final Duration SYNC = Duration.ofSeconds(15);

  private static final double TOLERANCE = 0.1;

  /** Among so many looks of the autoscaler, one sees a peak of half as much again. */
  private static final int PEAK_EVERY = 300;

  private static final int UPDATES_MOST = 3;
  private static final Duration WORK_BEGINS = Duration.ofHours(8);
  private static final Duration WORK = Duration.ofHours(10);

  /** A quarter of the pods is replaced at a time. */
  private static final int UPDATE_PARTS = 4;

  private final Placement placement;
  private final VirtualTime time;
  private final SplittableRandom random;
  private final int[] nodes;
  private final double noon;
  private final Duration phase;

  /** The node of each replica. */
  private final List<Integer> replicas = new ArrayList<>();

  /**
   * Chooses the size.
   *
   * @param pods mean of all deployments at noon
   */
  Deployment(Placement placement, int[] nodes, double pods) {
    this.placement = placement;
    this.time = placement.time();
    this.random = placement.random();
    this.nodes = nodes;
    this.noon = pods * (0.2 - 0.8 * Math.log(1 - random.nextDouble()));
    this.phase = placement.upTo(Duration.ofHours(2));
  }

  void begin() {
    time.after(placement.upTo(Duration.ofMinutes(10)), this::scale);
    for (int update = random.nextInt(UPDATES_MOST) + 1; update > 0; update--) {
      time.after(WORK_BEGINS.plus(placement.upTo(WORK)), () -> replace(new ArrayList<>(replicas)));
    }
  }

  private void scale() {
    int wanted = Math.max(1, (int) Math.round(noon * load()));
    int missing = wanted - replicas.size();
    if (Math.abs(missing) > TOLERANCE * replicas.size()) {
      for (int i = Math.min(missing, Math.max(4, replicas.size())); i > 0; i--) {
        time.after(placement.upTo(Duration.ofSeconds(3)), this::add);
      }
      for (int i = Math.min(-missing, replicas.size() / 10 + 1); i > 0; i--) {
        placement.end(replicas.remove(random.nextInt(replicas.size())));
      }
    }
    time.after(SYNC, this::scale);
  }

  /** The load of this moment, 1 at noon. */
  private double load() {
    double day = (double) (time.nanos() + phase.toNanos()) / Workload.DAY.toNanos();
    double noise = random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5;
    double load = 0.65 + 0.35 * Math.sin(2 * Math.PI * (day - 1.0 / 3)) + 0.1 * noise;
    return random.nextInt(PEAK_EVERY) == 0 ? load * 1.5 : load;
  }

  private boolean add() {
    int node = placement.spread(nodes);
    if (node >= 0) {
      placement.bind(node, Duration.ZERO);
      replicas.add(node);
    }
    return node >= 0;
  }

  /** A rolling update: new pods first, each old one ends when its successor is ready. */
  private void replace(List<Integer> old) {
    int part = Math.min(old.size(), Math.max(1, replicas.size() / UPDATE_PARTS));
    for (int i = 0; i < part; i++) {
      Integer node = old.remove(old.size() - 1);
      time.after(
          placement.upTo(Duration.ofSeconds(2)),
          () -> {
            if (add()) {
              Duration ready = Duration.ofSeconds(8).plus(placement.upTo(Duration.ofSeconds(10)));
              time.after(ready, () -> end(node));
            }
          });
    }
    if (!old.isEmpty()) {
      time.after(Duration.ofSeconds(20), () -> replace(old));
    }
  }

  private void end(Integer node) {
    if (replicas.remove(node)) {
      placement.end(node);
    }
  }
}
