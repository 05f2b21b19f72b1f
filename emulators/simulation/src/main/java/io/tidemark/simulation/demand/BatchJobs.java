package io.tidemark.simulation.demand;

import io.tidemark.simulation.demand.WorkloadGroup.Batch;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** Jobs whose pods are packed on as few nodes as possible; an autoscaler adds and removes nodes. */
final class BatchJobs {
  /** Between two pods that a kubelet starts. */
  private static final Duration POD_START = Duration.ofMillis(250);

  private static final Duration LIFETIME_LEAST = Duration.ofMinutes(2);
  private static final Duration BOOT = Duration.ofSeconds(35);
  private static final Duration BOOT_SPREAD = Duration.ofSeconds(20);
  private static final Duration SCALE_DOWN_CHECK = Duration.ofSeconds(30);
  private static final Duration EMPTY = Duration.ofMinutes(10);

  private final Placement placement;
  private final VirtualTime time;
  private final List<Integer> nodes;
  private final Batch batch;

  /** Lifetimes of the pods that wait for a node. */
  private final Deque<Duration> pending = new ArrayDeque<>();

  /** Nodes that exist or boot. */
  private final BitSet up = new BitSet();

  /** Nodes that boot. */
  private final BitSet booting = new BitSet();

  BatchJobs(Placement placement, int[] nodes, Batch batch) {
    this.placement = placement;
    this.time = placement.time();
    this.nodes = Arrays.stream(nodes).boxed().toList();
    this.batch = batch;
  }

  void begin() {
    nextJob();
    scaleDown();
  }

  private void nextJob() {
    time.after(
        placement.around(batch.every()),
        () -> {
          int pods = placement.random().nextInt(batch.podsLeast(), batch.podsMost() + 1);
          Duration life = placement.around(batch.lifetime()).plus(LIFETIME_LEAST);
          for (int i = 0; i < pods; i++) {
            pending.add(life.multipliedBy(70 + placement.random().nextInt(60)).dividedBy(100));
          }
          place();
          nextJob();
        });
  }

  /** Fills the fullest nodes first, and adds nodes for the pods that are left. */
  private void place() {
    nodes.stream()
        .filter(node -> placement.room(node) > 0)
        .sorted(Comparator.comparing(placement::pods).reversed())
        .forEach(this::fill);
    int room = booting.stream().map(placement::maxPods).sum();
    for (int node : nodes) {
      if (room < pending.size() && !up.get(node)) {
        up.set(node);
        booting.set(node);
        room += placement.maxPods(node);
        time.after(
            BOOT.plus(placement.upTo(BOOT_SPREAD)), () -> placement.join(node, () -> ready(node)));
      }
    }
  }

  private void ready(int node) {
    booting.clear(node);
    place();
  }

  private void fill(int node) {
    Duration start = Duration.ZERO;
    while (placement.room(node) > 0 && !pending.isEmpty()) {
      placement.bind(node, start);
      time.after(start.plus(pending.remove()), () -> placement.end(node));
      start = start.plus(placement.around(POD_START));
    }
  }

  private void scaleDown() {
    time.after(
        SCALE_DOWN_CHECK,
        () -> {
          for (int node : nodes) {
            if (placement.isEmptyFor(node, EMPTY)) {
              up.clear(node);
              placement.leave(node);
            }
          }
          scaleDown();
        });
  }
}
