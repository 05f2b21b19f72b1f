package io.tidemark.simulation.demand;

import io.tidemark.demand.DemandWatermarks;
import io.tidemark.demand.GrowthKind;
import io.tidemark.demand.LeadTimes;
import io.tidemark.demand.LearnedDemand;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One policy over one trace. An agent writes at most every 15 s; pods that wait are seen sooner.
 */
final class TrialRun {
  private static final Duration WATCH = Duration.ofMillis(300);
  private static final Duration PODS_SEEN = Duration.ofSeconds(1);
  private static final Duration RELEASE_DELAY = Duration.ofMinutes(3);

  /** Requests that make an interface: create, attach, and the look whether it is attached. */
  private static final int INTERFACE_REQUESTS = 3;

  /** The first hour, in which nodes join and nothing is learned yet, does not count. */
  private static final long FROM_NANOS = Duration.ofHours(1).toNanos();

  private final TrialPolicy policy;
  private final VirtualTime time = new VirtualTime(0);
  private final TrialCloud cloud;
  private final LearnedDemand demand = new LearnedDemand();
  private final WorkloadGroup[] groupOf;
  private final @Nullable TrialNode[] nodes;
  private long pods;
  private long waited;
  private long requests;
  private double idleNanos;
  private double waitNanos;

  private TrialRun(Workload workload, TrialPolicy policy, long seed) {
    this.policy = policy;
    this.cloud = new TrialCloud(time, new SplittableRandom(seed));
    groupOf = workload.groupOfNodes();
    nodes = new @Nullable TrialNode[groupOf.length];
  }

  /** Replays a trace; equal seeds give equal figures. */
  static TrialFigures of(Workload workload, PodTrace trace, TrialPolicy policy, long seed) {
    TrialRun run = new TrialRun(workload, policy, seed);
    trace.replay(run.time, run::happens);
    run.time.runUntil(Workload.DAY.toNanos());
    return run.figures();
  }

  private TrialFigures figures() {
    for (TrialNode node : nodes) {
      if (node != null) {
        count(node);
      }
    }
    double counted = (double) Workload.DAY.toNanos() - FROM_NANOS;
    double meanWait = waited == 0 ? 0 : waitNanos / waited / 1e9;
    return new TrialFigures(pods, waited, idleNanos / counted, requests, meanWait);
  }

  private void happens(PodTrace.Kind kind, int number) {
    TrialNode node = nodes[number];
    if (kind == PodTrace.Kind.NODE_JOINS) {
      WorkloadGroup group = groupOf[number];
      node = new TrialNode(group, demand.group(group.name(), 0), time.nanos());
      nodes[number] = node;
      decide(node);
    }
    if (node == null) {
      return;
    }
    count(node);
    switch (kind) {
      case POD_ARRIVES -> {
        boolean waits = !node.arrives(time.nanos());
        if (counts()) {
          pods++;
          waited += waits ? 1 : 0;
        }
        changed(node);
      }
      case POD_ENDS -> {
        node.ends();
        served(node);
        changed(node);
      }
      case NODE_LEAVES -> {
        node.gone = true;
        nodes[number] = null;
      }
      case NODE_JOINS -> {}
    }
  }

  private boolean counts() {
    return time.nanos() >= FROM_NANOS;
  }

  private void count(TrialNode node) {
    long from = Math.max(FROM_NANOS, node.countedNanos);
    idleNanos += Math.max(0, time.nanos() - from) * (double) node.idle();
    node.countedNanos = time.nanos();
  }

  private void served(TrialNode node) {
    for (long arrived : node.serve()) {
      waitNanos += counts() ? time.nanos() - arrived : 0;
    }
  }

  /** The agent has news, and may have to wait until it can write them. */
  private void changed(TrialNode node) {
    if (!node.reports) {
      node.reports = true;
      long due = Math.max(time.nanos(), node.reportedNanos + LeadTimes.AGENT_WRITES.toNanos());
      time.at(due + WATCH.toNanos(), () -> reported(node));
    }
    if (node.waiting() > 0) {
      time.after(PODS_SEEN, () -> decide(node));
    }
  }

  private void reported(TrialNode node) {
    node.report(time.nanos());
    decide(node);
  }

  private void decide(TrialNode node) {
    if (node.gone) {
      return;
    }
    node.demand().observe(node.reported(), time.nanos());
    if (node.busy) {
      return;
    }
    if (excess(node) > 0) {
      surplus(node);
      return;
    }
    node.surplusSinceNanos = -1;
    if (needed(node) > 0 && node.roomToCeiling() > 0) {
      node.busy = true;
      long decided = time.nanos();
      cloud.whenAllowed(() -> grow(node, decided));
    }
  }

  private DemandWatermarks marks(TrialNode node) {
    return policy.watermarks(node, demand.leadTimes(), time.nanos());
  }

  /** Addresses that are missing: of the spare ones, or for the start of the agent. */
  private int needed(TrialNode node) {
    return Math.max(marks(node).low() - node.free(), policy.start() - node.addresses());
  }

  /** Addresses above the high watermark, without those with which the agent starts. */
  private int excess(TrialNode node) {
    return Math.min(node.free() - marks(node).high(), node.addresses() - policy.start());
  }

  /** Asks for what is missing when the token is there, on one interface. */
  private void grow(TrialNode node, long decidedNanos) {
    int needed = needed(node);
    if (node.gone || needed <= 0) {
      node.busy = false;
      decide(node);
      return;
    }
    DemandWatermarks marks = marks(node);
    int upToTarget = Math.min(marks.target() - marks.low(), marks.target() - node.free() - needed);
    int missing = Math.max(needed, node.waiting()) + Math.max(policy.above(), upToTarget);
    boolean newInterface = node.room() == 0;
    int room = newInterface ? node.group().podAddressesPerInterface() : node.room();
    int more = Math.min(missing, Math.min(room, node.roomToCeiling()));
    requested(newInterface ? INTERFACE_REQUESTS : 1);
    time.after(
        cloud.duration(newInterface).plus(WATCH),
        () -> {
          count(node);
          node.add(more, newInterface);
          node.busy = false;
          GrowthKind step = newInterface ? GrowthKind.INTERFACE : GrowthKind.ADDRESSES;
          demand.leadTimes().ended(step, time.nanos() - decidedNanos);
          served(node);
          decide(node);
        });
  }

  private void requested(int count) {
    requests += counts() ? count : 0;
  }

  private void surplus(TrialNode node) {
    if (node.surplusSinceNanos < 0) {
      node.surplusSinceNanos = time.nanos();
      time.after(RELEASE_DELAY, () -> release(node));
    }
  }

  private void release(TrialNode node) {
    boolean due =
        node.surplusSinceNanos >= 0
            && time.nanos() - node.surplusSinceNanos >= RELEASE_DELAY.toNanos();
    if (node.gone || node.busy || !due) {
      return;
    }
    node.surplusSinceNanos = -1;
    int fewer = Math.min(node.idle(), excess(node));
    if (fewer > 0) {
      count(node);
      node.release(fewer);
      requested(1);
    }
    decide(node);
  }
}
