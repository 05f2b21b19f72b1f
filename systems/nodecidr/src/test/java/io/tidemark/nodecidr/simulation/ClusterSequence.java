package io.tidemark.nodecidr.simulation;

import io.tidemark.nodecidr.ledger.ClusterCidrs.Target;
import io.tidemark.testing.StepSequence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** The events in a cluster whose objects are Nodes, or CiliumNodes, and may follow a cloud. */
record ClusterSequence(Target target, boolean hasCloud)
    implements StepSequence.Subject<SimulatedCluster> {
  static final ClusterSequence NODES = new ClusterSequence(Target.NODE, false);
  static final ClusterSequence CILIUM_NODES = new ClusterSequence(Target.CILIUM_NODE, false);
  static final ClusterSequence BESIDE_CLOUD = new ClusterSequence(Target.NODE, true);

  /** The possible events, and how often they come: with Nodes, and with CiliumNodes. */
  private enum Kind {
    CREATE(10, 10),
    DELETE(5, 5),
    RECREATE(3, 4),
    BEGIN_DELETION(2, 1),
    HEARTBEAT(2, 4),
    FOREIGN_WRITE(1, 1),
    CRASH(2, 2),
    LOSE_LEASE(1, 1),
    RESTART(2, 2),
    OUTAGE(1, 1),
    LAG(2, 2),
    REMEMBER(2, 0),
    STALE_LIST(2, 0),
    EMPTY(0, 4),
    IGNORE(0, 3),
    PASS(4, 4),

    /** In a cloud alone. */
    GRANT(0, 0),
    REVOKE(0, 0);

    private final int ofNodes;
    private final int ofCiliumNodes;

    Kind(int ofNodes, int ofCiliumNodes) {
      this.ofNodes = ofNodes;
      this.ofCiliumNodes = ofCiliumNodes;
    }

    static List<Kind> weighed(Target target) {
      List<Kind> all = new ArrayList<>();
      for (Kind kind : values()) {
        int weight = target == Target.NODE ? kind.ofNodes : kind.ofCiliumNodes;
        all.addAll(Collections.nCopies(weight, kind));
      }
      return all;
    }
  }

  @Override
  public Limits limits() {
    String ofNodes = hasCloud ? "tidemark.nodecidr.clouds" : "tidemark.nodecidr.clusters";
    return new Limits(target == Target.NODE ? ofNodes : "tidemark.nodecidr.pools", 40, 300);
  }

  @Override
  public SimulatedCluster begin(long seed) {
    return new SimulatedCluster(seed, target, hasCloud);
  }

  @Override
  public Consumer<SimulatedCluster> draw(Random random) {
    Duration pause =
        Duration.ofMillis(random.nextInt(3) == 0 ? random.nextInt(100) : random.nextInt(30_000));
    List<Kind> kinds = Kind.weighed(target);
    if (hasCloud) {
      kinds.addAll(List.of(Kind.GRANT, Kind.GRANT, Kind.GRANT, Kind.REVOKE, Kind.REVOKE));
    }
    Kind kind = kinds.get(random.nextInt(kinds.size()));
    long drawn = random.nextLong() >>> 1;
    return cluster -> {
      cluster.pass(pause);
      step(cluster, kind, drawn);
    };
  }

  @Override
  public void end(SimulatedCluster cluster) {
    cluster.rest();
  }

  private static void step(SimulatedCluster cluster, Kind kind, long drawn) {
    switch (kind) {
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
      case REMEMBER -> ((SimulatedNodes) cluster.server).remember();
      case STALE_LIST -> cluster.staleList((SimulatedNodes) cluster.server, drawn);
      case EMPTY -> ((SimulatedPool) cluster.server).empty(drawn);
      case IGNORE -> ((SimulatedPool) cluster.server).ignore(drawn);
      case GRANT -> cluster.grant(drawn);
      case REVOKE -> cluster.revoke(drawn);
      case PASS -> cluster.pass(Duration.ofMinutes(3));
    }
  }

  /** Runs one seed in the classes of the loader that it was loaded by: the failure, or nothing. */
  public static final class Probe implements LongFunction<String> {
    @Override
    public String apply(long seed) {
      return StepSequence.violation(NODES, seed);
    }
  }

  /** The same beside a cloud. */
  public static final class CloudProbe implements LongFunction<String> {
    @Override
    public String apply(long seed) {
      return StepSequence.violation(BESIDE_CLOUD, seed);
    }
  }

  /** The same with CiliumNodes. */
  public static final class PoolProbe implements LongFunction<String> {
    @Override
    public String apply(long seed) {
      return StepSequence.violation(CILIUM_NODES, seed);
    }
  }
}
