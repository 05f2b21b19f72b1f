package io.tidemark.nodecidr.simulation;

import static io.tidemark.nodecidr.simulation.ClusterJudge.check;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.pool.CiliumNodeCidrs;
import io.tidemark.nodecidr.pool.PoolServer;
import io.tidemark.resource.ForwardingNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import java.util.List;
import java.util.Optional;

/** Judges what an operator does to CiliumNodes. */
final class JudgedStore extends ForwardingNodeResourceStore {
  private final SimulatedOperator operator;
  private final PoolServer server;
  private final ClusterJudge judge;

  JudgedStore(
      SimulatedOperator operator, PoolServer server, ClusterJudge judge, NodeResourceStore store) {
    super(store);
    this.judge = judge;
    this.operator = operator;
    this.server = server;
  }

  /**
   * A request on its way arrives; of one that does not lead any more, none that would follow it.
   */
  @Override
  public StoreResult get(String name) {
    return operator.process.isAlive() && operator.leads
        ? super.get(name)
        : new StoreResult.Failed("it does not lead");
  }

  @Override
  public StoreResult update(NodeResource original, NodeResource changed) {
    Optional<NodeResource> found = server.server().find(original.name());
    StoreResult result = super.update(original, changed);
    if (result instanceof StoreResult.Stored) {
      NodeResource before = found.orElseThrow();
      NodeResource after = judge(before);
      List<Cidr> added =
          after.podCidrs().stream()
              .filter(text -> !before.podCidrs().contains(text))
              .map(Cidr::parse)
              .toList();
      judge.added(
          operator.name,
          CiliumNodeCidrs.view(before, Optional.empty()),
          operator.arrivingUid(),
          added);
      check(
          "K9",
          keeps(before.podCidrs(), after.podCidrs()),
          operator.name + " makes " + after.podCidrs() + " of " + before.podCidrs());
      check(
          "K8",
          after.withPodCidrs(before.podCidrs()).sameSpec(before),
          operator.name + " changes what is not its own in the spec of " + after);
    }
    return result;
  }

  @Override
  public StoreResult updateStatus(NodeResource original, NodeResource changed) {
    Optional<NodeResource> found = server.server().find(original.name());
    StoreResult result = super.updateStatus(original, changed);
    String error = changed.operatorError().orElse("");
    String ending = result.getClass().getSimpleName();
    operator.log("writes error \"" + error + "\" to " + original.name() + ": " + ending);
    if (result instanceof StoreResult.Stored) {
      NodeResource before = found.orElseThrow();
      NodeResource after = judge(before);
      check(
          "K8",
          after.withOperatorError(before.operatorError().orElse("")).sameStatus(before),
          operator.name + " changes what is not its own in the status of " + after);
    }
    return result;
  }

  private NodeResource judge(NodeResource before) {
    check("P3", !before.ignored(), operator.name + " writes to " + before + ", to be ignored");
    check(
        "AM18",
        operator.mayWrite(),
        operator.name + " writes to " + before + " and has lost the lease");
    return server.node(before.name());
  }

  /** Whether all that was there is there still, in its order. */
  private static boolean keeps(List<String> before, List<String> after) {
    return after.stream().filter(before::contains).toList().equals(before);
  }
}
