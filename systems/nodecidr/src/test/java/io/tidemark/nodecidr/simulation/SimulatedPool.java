package io.tidemark.nodecidr.simulation;

import static io.tidemark.nodecidr.simulation.ClusterJudge.check;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.nodecidr.controller.CidrNodeReport;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.pool.CiliumNodeCidrs;
import io.tidemark.nodecidr.pool.OperatorErrors;
import io.tidemark.nodecidr.pool.PoolServer;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.resource.StoreResult.Effect;
import io.tidemark.time.EffectRunner;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * CiliumNodes, which their agents write as well. At the start some have CIDRs: two the same one,
 * one a single family of two, one is to be ignored.
 */
final class SimulatedPool implements SimulatedServer {
  private static final int SYNC_ATTEMPTS = 3;

  private final SimulatedCluster cluster;
  private final ClusterCidrs cidrs;
  private final Random random;
  private final PoolServer server;

  /**
   * Nodes whose CIDRs somebody has removed, by uid. They are written back, and are claimed even if
   * they cannot be; nothing else happens to such nodes, so that claims are what nodes have.
   */
  private final Set<String> emptied = new HashSet<>();

  private int beats;

  SimulatedPool(SimulatedCluster cluster, ClusterCidrs cidrs, long seed) {
    this.cluster = cluster;
    this.cidrs = cidrs;
    this.random = new Random(seed);
    this.server = new PoolServer(cluster.time);
    boolean excluded =
        Stream.of(0, 1)
            .flatMap(index -> blocks(index).stream())
            .map(Cidr::parse)
            .anyMatch(
                block -> cidrs.exclusions().stream().anyMatch(it -> it.cidr().overlaps(block)));
    if (!excluded && random.nextInt(3) > 0) {
      begin();
    }
  }

  private void begin() {
    List<String> first = blocks(0);
    server.create("s1", first.toArray(String[]::new));
    if (random.nextBoolean()) {
      server.create("s2", first.get(random.nextInt(first.size())));
    }
    server.create("s3", blocks(1).get(random.nextInt(first.size())));
    server.changeStatus("s3", node -> node.withOperatorError("of another operator"));
    if (random.nextBoolean()) {
      server.createIgnored("s4", first.get(0));
    }
  }

  /** Blocks with this index; a range has two at least. */
  private List<String> blocks(int index) {
    return cidrs.families().stream()
        .map(family -> family.ranges().get(0).subnet(family.blockLength(), index).toString())
        .toList();
  }

  @Override
  public ClusterNode create(String name) {
    return view(server.create(name));
  }

  private static ClusterNode view(NodeResource node) {
    return CiliumNodeCidrs.view(node, Optional.empty());
  }

  @Override
  public List<ClusterNode> all() {
    return server.server().all().stream()
        .map(SimulatedPool::view)
        .filter(node -> !node.exempt() || !node.podCidrs().isEmpty())
        .toList();
  }

  @Override
  public Optional<ClusterNode> find(String name) {
    return server.server().find(name).map(SimulatedPool::view);
  }

  @Override
  public void delete(String name) {
    server.delete(name);
  }

  @Override
  public void beginDeletion(String name) {
    NodeResource node = server.node(name);
    String uid = node.uid().orElseThrow();
    if (!emptied.contains(uid)) {
      cluster.judge.promiseNothing(uid::equals);
      server.replace(name, metadata(true, node.ignored()));
    }
  }

  private static String metadata(boolean beingDeleted, boolean ignored) {
    return (beingDeleted ? ",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"" : "")
        + (ignored ? ",\"annotations\":{\"ipam.cilium.io/ignore\":\"true\"}" : "");
  }

  /** The agent writes what is its own. */
  @Override
  public void heartbeat(String name, long drawn) {
    beats++;
    if (Math.floorMod(drawn, 2) == 0) {
      server.change(name, node -> node.withPreAllocate(beats));
    } else {
      IpAddress address = IpAddress.parse("172.16." + beats / 256 + "." + beats % 256);
      server.changeStatus(name, node -> node.withAssignedStaticIp(address));
    }
  }

  @Override
  public NodeChange assign(String manager, ClusterNode node, List<Cidr> blocks) {
    if (emptied.contains(node.uid())) {
      return new NodeChange.Refused("its CIDRs are being written back");
    }
    cluster.judge.promiseNothing(any -> true);
    cluster.leader.forgetResult(node.uid());
    server.assignAs(
        manager, node.name(), blocks.stream().map(Cidr::toString).toArray(String[]::new));
    return new NodeChange.Accepted(find(node.name()).orElseThrow());
  }

  /** Somebody exempts an object from the operator, or ends that. */
  void ignore(long drawn) {
    List<NodeResource> all =
        server.server().all().stream()
            .filter(node -> !emptied.contains(node.uid().orElseThrow()))
            .toList();
    if (!all.isEmpty()) {
      NodeResource node = all.get(Math.floorMod(drawn, all.size()));
      String uid = node.uid().orElseThrow();
      cluster.judge.promiseNothing(uid::equals);
      cluster.leader.forgetResult(uid);
      server.replace(node.name(), metadata(node.beingDeleted(), !node.ignored()));
      cluster.log((node.ignored() ? "takes back: " : "") + "ignore " + node.name());
    }
  }

  /** Somebody removes CIDRs of a node that the leader has seen: it writes them back. */
  void empty(long drawn) {
    List<ClusterNode> known =
        all().stream()
            .filter(node -> isWhole(node) && cluster.leader.knows(node, State.ASSIGNED))
            .toList();
    if (!known.isEmpty()) {
      ClusterNode node = known.get(Math.floorMod(drawn, known.size()));
      List<String> texts = node.podCidrs().texts();
      List<String> left = texts.subList(0, Math.floorMod(drawn, texts.size()));
      server.change(node.name(), it -> it.withPodCidrs(left));
      emptied.add(node.uid());
      cluster.leader.forgetResult(node.uid());
      cluster.judge.promise("P8", node, texts, cluster.leader);
      cluster.log("CIDRs of " + node.name() + " are removed, but for " + left);
    }
  }

  /**
   * Whether it has one CIDR of each family, which nobody else has, and gets more where it lacks.
   */
  private boolean isWhole(ClusterNode node) {
    List<String> texts = node.podCidrs().texts();
    return texts.size() == cidrs.families().size()
        && !node.exempt()
        && !node.beingDeleted()
        && server.server().all().stream()
            .filter(other -> !other.name().equals(node.name()))
            .noneMatch(other -> other.podCidrs().stream().anyMatch(texts::contains));
  }

  @Override
  public void recreated(ClusterNode former, ClusterNode node) {
    if (isWhole(former) && cluster.isCalm()) {
      cluster.judge.promise("P10", node, former.podCidrs().texts(), cluster.leader);
    }
  }

  @Override
  public boolean writes(Optional<ClusterNode> before, List<Cidr> blocks) {
    return before
        .filter(
            node -> node.podCidrs().texts().stream().map(Cidr::parse).toList().containsAll(blocks))
        .isEmpty();
  }

  @Override
  public Client client(SimulatedOperator operator, EffectRunner effects, ObjectEvents reported) {
    NodeResourceStore store =
        new JudgedStore(
            operator,
            server,
            cluster.judge,
            server
                .server()
                .operator(
                    SimulatedOperator.MANAGER,
                    Optional.empty(),
                    operator.process,
                    cluster::delayNanos,
                    (operation, name) -> interference(operator, operation, name)));
    OperatorErrors errors =
        new OperatorErrors(
            reported,
            store,
            SYNC_ATTEMPTS,
            effects,
            operator.process,
            operator::mayWrite,
            new Random(random.nextLong()));
    return new Client(new CiliumNodeCidrs(store, SYNC_ATTEMPTS, errors), errors, errors::written);
  }

  /** Others write an object before a request about it is served, or it fails. */
  private Optional<StoreResult> interference(
      SimulatedOperator operator, Operation operation, String name) {
    if (operation == Operation.LIST) {
      return operator.listFailure().map(any -> new StoreResult.Failed("no list"));
    }
    boolean writes = operation == Operation.UPDATE || operation == Operation.UPDATE_STATUS;
    Optional<NodeResource> node = server.server().find(name);
    if (writes && node.isPresent() && random.nextDouble() < cluster.faults * 0.3) {
      if (node.get().podCidrs().isEmpty() && !node.get().ignored() && random.nextInt(20) == 0) {
        cluster.foreignWrite(view(node.get()));
      } else {
        heartbeat(name, random.nextLong() >>> 1);
      }
    }
    return operator
        .failure(operation == Operation.UPDATE)
        .map(ended -> new StoreResult.Failed("why", effect(ended)));
  }

  private static Effect effect(NodeChange ended) {
    return ended instanceof NodeChange.Refused
        ? Effect.REFUSED
        : ended instanceof NodeChange.AskedToWait ? Effect.ASKED_TO_WAIT : Effect.UNKNOWN;
  }

  /** The status of each object says what its report says. */
  @Override
  public void atRest(SimulatedOperator leader) {
    for (CidrNodeReport report : leader.controller.nodes()) {
      NodeResource node = server.node(report.node().name());
      String error = node.operatorError().orElse("");
      List<String> labels =
          report.matters().stream()
              .filter(each -> each.code() != NodeCidrError.CIDR_FORBIDDEN)
              .filter(each -> each.code() != NodeCidrError.CIDR_WRITE_FAILED)
              .map(each -> each.code().label())
              .toList();
      check(
          "P6",
          node.ignored()
              || (labels.isEmpty() == error.isEmpty()
                  && labels.stream().allMatch(label -> error.contains("[" + label + "]"))),
          node + " says " + error + ", but " + report);
    }
  }
}
