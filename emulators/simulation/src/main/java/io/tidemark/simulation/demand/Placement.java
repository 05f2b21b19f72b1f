package io.tidemark.simulation.demand;

import io.tidemark.simulation.demand.PodTrace.Kind;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The scheduler, which counts pods but knows no addresses; writes the trace. */
final class Placement {
  /** From the CiliumNode of a new node until the scheduler may use the node. */
  private static final Duration READY = Duration.ofSeconds(12);

  private static final Duration READY_SPREAD = Duration.ofSeconds(4);

  /** Nodes of which the scheduler takes the emptiest. */
  private static final int SAMPLE = 6;

  private final VirtualTime time;
  private final SplittableRandom random;
  private final PodTrace trace;
  private final WorkloadGroup[] groupOf;
  private final int[] pods;
  private final boolean[] ready;
  private final long[] emptySince;

  Placement(Workload workload, VirtualTime time, SplittableRandom random, PodTrace trace) {
    this.time = time;
    this.random = random;
    this.trace = trace;
    groupOf = workload.groupOfNodes();
    pods = new int[groupOf.length];
    ready = new boolean[groupOf.length];
    emptySince = new long[groupOf.length];
  }

  VirtualTime time() {
    return time;
  }

  SplittableRandom random() {
    return random;
  }

  /** The nodes of a group. */
  int[] nodesOf(WorkloadGroup group) {
    return IntStream.range(0, groupOf.length).filter(each -> groupOf[each].equals(group)).toArray();
  }

  /** A node joins; {@code then} runs when pods can be scheduled on it. */
  void join(int node, Runnable then) {
    trace.add(time.nanos(), Kind.NODE_JOINS, node);
    long spread = (long) (random.nextDouble() * READY_SPREAD.toNanos());
    time.after(
        READY.plusNanos(spread),
        () -> {
          ready[node] = true;
          emptySince[node] = time.nanos();
          then.run();
        });
  }

  /** A node leaves that has no pods. */
  void leave(int node) {
    ready[node] = false;
    trace.add(time.nanos(), Kind.NODE_LEAVES, node);
  }

  int maxPods(int node) {
    return groupOf[node].maxPods();
  }

  /** Pods that can still be bound to a node. */
  int room(int node) {
    return ready[node] ? maxPods(node) - pods[node] : 0;
  }

  int pods(int node) {
    return pods[node];
  }

  boolean isEmptyFor(int node, Duration least) {
    return ready[node] && pods[node] == 0 && time.nanos() - emptySince[node] >= least.toNanos();
  }

  /** The emptiest of a few random nodes; negative when none of them has room. */
  int spread(int[] nodes) {
    int best = -1;
    for (int i = 0; i < SAMPLE; i++) {
      int node = nodes[random.nextInt(nodes.length)];
      if (room(node) > 0 && (best < 0 || pods[node] < pods[best])) {
        best = node;
      }
    }
    return best;
  }

  /** A pod is bound to a node now, and asks for its address after a while. */
  void bind(int node, Duration start) {
    pods[node]++;
    trace.add(time.nanos() + start.toNanos(), Kind.POD_ARRIVES, node);
  }

  void end(int node) {
    pods[node]--;
    trace.add(time.nanos(), Kind.POD_ENDS, node);
    if (pods[node] == 0) {
      emptySince[node] = time.nanos();
    }
  }

  /** An exponentially distributed time. */
  Duration around(Duration mean) {
    return Duration.ofNanos((long) (-mean.toNanos() * Math.log(1 - random.nextDouble())));
  }

  /** A time between zero and {@code most}. */
  Duration upTo(Duration most) {
    return Duration.ofNanos((long) (random.nextDouble() * most.toNanos()));
  }
}
