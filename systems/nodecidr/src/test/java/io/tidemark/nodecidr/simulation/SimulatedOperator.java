package io.tidemark.nodecidr.simulation;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.ForwardingClusterNodes;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.error.ErrorCode;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Meters;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.nodecidr.cloud.AliasCloud;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import io.tidemark.nodecidr.controller.ControllerSettings;
import io.tidemark.nodecidr.controller.NodeCidrController;
import io.tidemark.spi.AliasRangeOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.time.Effect;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One process of an operator, with its store, its way to the server, and a controller. */
final class SimulatedOperator {
  static final String MANAGER = "tidemark-operator";

  /** A process may crash before, after and instead of the answer of each. */
  private static final Set<String> CHANGES =
      Set.of("assign pod CIDRs", "add alias", "set condition");

  final String name;
  final VirtualProcess process;
  final NodeCidrController controller;

  /** Whether it holds the lease, as far as it knows. */
  boolean leads;

  /** Whether its controller has started. */
  boolean ready;

  /** Problems that it reported and that are not solved, by node. */
  final Map<String, Set<String>> open = new HashMap<>();

  private final SimulatedServer.Client client;
  private final SimulatedCluster cluster;
  private final Random random;

  /** When the result of the write to a node was known, by its uid. */
  private final Map<String, Long> settled = new HashMap<>();

  /** Nodes whose write had a result after which no other one of it can have an effect, by uid. */
  private final Set<String> definite = new HashSet<>();

  /** Nodes that it saw with CIDRs, by uid: another write of theirs changes nothing. */
  private final Set<String> supplied = new HashSet<>();

  /** Nodes that others changed, by uid: they may be written again. */
  private final Set<String> lost = new HashSet<>();

  /** Whether it told the next leader that it has ended in order. */
  boolean ended;

  private Sent arriving = new Sent(0, false, false, "");
  private String lastUid = "";
  private boolean listed;

  /** Whether a request is being served. */
  private boolean inLeaf;

  /** Instances that may have got a range, of which nothing was read since. */
  private final Set<InstanceId> unread = new HashSet<>();

  SimulatedOperator(String name, SimulatedCluster cluster, ControllerSettings settings, long seed) {
    this.name = name;
    this.cluster = cluster;
    this.random = new Random(seed);
    this.process = cluster.time.process(name);
    EffectRunner network = process.effects(new Network());
    EffectRunner sender = new Sender(network);
    this.client = cluster.server.client(this, sender, new Reported());
    ControllerParts parts =
        new ControllerParts(
            new Observed(client.nodes()),
            client.events(),
            Meters.none(),
            sender,
            process,
            process,
            () -> inLeaf ? mayWrite() : leads,
            new Random(seed));
    this.controller =
        new NodeCidrController(
            settings,
            parts,
            cluster.type.map(mode -> cluster.cloud.source(mode, network, new Added())),
            cluster.hasNotes ? Optional.of(this::publish) : Optional.empty());
    controller.onChange(
        node ->
            controller
                .report(node)
                .filter(report -> !report.lacksCidrs())
                .ifPresent(report -> supplied.add(report.node().uid())));
  }

  /** Shows the judge which ranges are added. */
  private final class Added implements AliasCloud.Observer {
    @Override
    public void read(InstanceId instance) {
      unread.remove(instance);
    }

    @Override
    public void adds(InstanceId instance, Cidr cidr) {
      cluster.check("AM18", leads, name + " adds " + cidr + " and has lost the lease");
      cluster.check(
          "AM28", !unread.contains(instance), name + " adds to " + instance + " again, unread");
    }

    @Override
    public void added(InstanceId instance, Cidr cidr, AliasRangeOutcome outcome) {
      if (outcome instanceof AliasRangeOutcome.Unknown) {
        unread.add(instance);
      }
      cluster.log(name + " adds " + cidr + " to " + instance + ": " + outcome);
    }
  }

  /** Writes its notes to the lease, unless it loses that before. */
  private CompletionStage<Boolean> publish() {
    CompletableFuture<Boolean> stored = new CompletableFuture<>();
    int slow = random.nextDouble() < cluster.faults * 0.3 ? 4_000 : 100;
    cluster.time.after(
        Duration.ofMillis(random.nextInt(slow)),
        () -> {
          boolean written = cluster.writeLease(this);
          process.after(Duration.ofMillis(random.nextInt(slow)), () -> stored.complete(written));
        });
    return stored;
  }

  /** Ends in order, and all that it has sent. */
  CompletionStage<List<String>> stop() {
    return controller.stop().thenCompose(end -> client.flush().get().thenApply(any -> end));
  }

  /** Whether it knows this incarnation of a node, in this state. */
  boolean knows(ClusterNode node, State state) {
    return controller
        .report(node.name())
        .filter(it -> it.node().uid().equals(node.uid()) && it.state() == state)
        .isPresent();
  }

  /** Whether it has not learnt that this incarnation of a node is gone. */
  boolean shows(String node, String uid) {
    return client.nodes().latest(node).filter(it -> it.uid().equals(uid)).isPresent()
        || controller.report(node).filter(it -> it.node().uid().equals(uid)).isPresent();
  }

  /** Whether the request that arrives was sent while it led. */
  boolean mayWrite() {
    return arriving.mayWrite();
  }

  void log(String what) {
    cluster.log(name + ' ' + what);
  }

  /** The incarnation that the request that arrives is for. */
  String arrivingUid() {
    return lastUid;
  }

  /** Others changed a node, which may be written again. */
  void forgetResult(String uid) {
    lost.add(uid);
  }

  /** Why a list fails; empty when it does not. */
  Optional<NodeChange> listFailure() {
    double drawn = random.nextDouble();
    listed |= drawn >= cluster.faults * 0.3;
    return drawn < cluster.faults * 0.3
        ? Optional.of(new NodeChange.Unknown("no list"))
        : Optional.empty();
  }

  /** Why another request fails; empty when it does not. */
  Optional<NodeChange> failure(boolean assigns) {
    double drawn = random.nextDouble();
    if (drawn < cluster.faults * 0.1) {
      return Optional.of(new NodeChange.Unknown("error of the server"));
    }
    if (assigns && drawn < cluster.faults * 0.2) {
      return Optional.of(new NodeChange.AskedToWait("too many requests"));
    }
    if (assigns && drawn < cluster.faults * 0.3) {
      return Optional.of(new NodeChange.Refused("nodes is forbidden"));
    }
    return Optional.empty();
  }

  /** A request as it was when it was sent. */
  private record Sent(long nanos, boolean mayWrite, boolean listed, String note) {}

  /** Remembers how it was when a request was sent, since a leaf runs where it arrives. */
  private final class Sender implements EffectRunner {
    private final EffectRunner network;

    Sender(EffectRunner network) {
      this.network = network;
    }

    @Override
    public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
      Sent now = new Sent(cluster.time.nanos(), leads, listed, cluster.note());
      String[] uid = {""};
      Effect<T> effect =
          network.run(
              site,
              timeout,
              () -> {
                arriving = now;
                inLeaf = true;
                try {
                  T answer = leaf.call();
                  uid[0] = lastUid;
                  return answer;
                } finally {
                  inLeaf = false;
                }
              });
      effect
          .stage()
          .thenAccept(
              answer -> {
                if (site.operation().startsWith("set")) {
                  return; // a condition, not CIDRs
                }
                if (answer instanceof NodeChange.Accepted
                    || answer instanceof NodeChange.Occupied) {
                  settled.putIfAbsent(uid[0], cluster.time.nanos());
                }
                if (answer instanceof NodeChange change && isDefinite(change)) {
                  definite.add(uid[0]);
                }
              });
      return effect;
    }
  }

  private static boolean isDefinite(NodeChange change) {
    return !(change instanceof NodeChange.Unknown) && !(change instanceof NodeChange.AskedToWait);
  }

  private final class Network implements EffectModel {
    @Override
    public EffectFate decide(EffectSite site, Duration timeout) {
      if (isWrite(site) && leads && random.nextDouble() < cluster.faults * 0.01) {
        cluster.crash(SimulatedOperator.this);
      }
      double drawn = random.nextDouble();
      if (cluster.isOutage() || drawn < cluster.faults * 0.1) {
        return EffectFate.requestLost();
      }
      if (drawn < cluster.faults * 0.25) {
        return EffectFate.answerLost(within(0, 9_000));
      }
      if (drawn < cluster.faults * 0.4) {
        return EffectFate.answered(within(8_000, 59_000), Duration.ZERO);
      }
      if (isError(site) && drawn < cluster.faults * 0.7) {
        return EffectFate.answered(within(8_000, 59_000), Duration.ZERO);
      }
      if (drawn < cluster.faults * 0.5) {
        return EffectFate.answered(within(100, 5_000), within(100, 4_000));
      }
      return EffectFate.answered(within(1, 30), within(1, 30));
    }

    private static boolean isWrite(EffectSite site) {
      return CHANGES.contains(site.operation()) || isError(site);
    }

    private static boolean isError(EffectSite site) {
      return site.operation().startsWith("write");
    }

    private Duration within(int least, int most) {
      return Duration.ofMillis(least + random.nextInt(most - least));
    }

    @Override
    public void executed(EffectSite site) {
      if (isWrite(site) && leads && random.nextDouble() < cluster.faults * 0.01) {
        cluster.crash(SimulatedOperator.this);
      }
    }
  }

  private final class Reported implements ObjectEvents {
    /** The open reports, by node and code. */
    private final Map<String, String> details = new HashMap<>();

    @Override
    public void report(String object, ErrorCode code, String detail) {
      String before = details.put(object + " " + code.name(), detail);
      cluster.check(
          "B19",
          cluster.type.isEmpty() || !detail.equals(before),
          name + " reports again for " + object + ": " + detail);
      open.computeIfAbsent(object, key -> new HashSet<>()).add(code.name());
    }

    @Override
    public void cleared(String object, ErrorCode code) {
      details.remove(object + " " + code.name());
      open.computeIfAbsent(object, key -> new HashSet<>()).remove(code.name());
    }
  }

  /** Shows the judge what passes. */
  private final class Observed extends ForwardingClusterNodes {
    /** When CIDRs were written, by the uid of the node. */
    private final Map<String, Long> written = new HashMap<>();

    Observed(ClusterNodeStore store) {
      super(store);
    }

    @Override
    public Optional<ClusterNode> latest(String node) {
      return super.latest(node).map(this::shown);
    }

    /** A cache that lags shows a node as it was before our own write. */
    private ClusterNode shown(ClusterNode node) {
      Long wrote = written.get(node.uid());
      boolean hidden = wrote != null && cluster.time.nanos() - wrote < cluster.cacheLagNanos;
      return hidden ? node.withPodCidrs(PodCidrs.NONE) : node;
    }

    @Override
    public NodeChange assignPodCidrs(String node, String uid, List<Cidr> cidrs) {
      lastUid = uid;
      Optional<ClusterNode> before = cluster.server.find(node);
      if (cluster.server.writes(before, cidrs)) {
        judge(node, uid, cidrs);
      }
      boolean lacking =
          before
              .filter(it -> it.uid().equals(uid) && it.podCidrs().isEmpty())
              .filter(it -> cluster.type.equals(Optional.of(CidrAllocatorType.IPAM_FROM_CLUSTER)))
              .map(SimulatedCluster::instanceOf)
              .filter(it -> cluster.cloud.exists(it) && !cluster.cloud.had(it, cidrs.get(0)))
              .isPresent();
      ClusterJudge.check(
          "K10", !lacking, name + " writes " + cidrs + " before the cloud to " + node);
      NodeChange ending = super.assignPodCidrs(node, uid, cidrs);
      if (ending instanceof NodeChange.Accepted) {
        written.putIfAbsent(uid, cluster.time.nanos());
      }
      if (ending instanceof NodeChange.Accepted && before.isPresent()) {
        cluster.server.accepted(name, before.get(), uid, cidrs);
      }
      cluster.log(name + " writes " + cidrs + " to " + node + " " + uid + ": " + ending.ending());
      return ending;
    }

    @Override
    public NodeChange networkAvailable(String node, String uid) {
      ClusterJudge.check("AM18", arriving.mayWrite(), name + " writes and has lost the lease");
      Optional<ClusterNode> bare =
          cluster.server.find(node).filter(it -> it.uid().equals(uid) && it.podCidrs().isEmpty());
      ClusterJudge.check(
          "K10",
          bare.isEmpty(),
          name + " says that the network of " + node + " is there too early");
      return super.networkAvailable(node, uid);
    }

    private void judge(String node, String uid, List<Cidr> cidrs) {
      boolean late = ended && !definite.contains(uid) && !supplied.contains(uid);
      ClusterJudge.check("AM18", !late, name + " has ended, and its write to " + node + " arrives");
      cluster.judge.told(name, cidrs, arriving.note());
      ClusterJudge.check("AM18", arriving.mayWrite(), name + " writes and has lost the lease");
      cluster.judge.sent(
          name,
          node,
          arriving.nanos(),
          arriving.listed(),
          Optional.ofNullable(settled.get(uid)).filter(at -> !lost.contains(uid)));
    }
  }
}
