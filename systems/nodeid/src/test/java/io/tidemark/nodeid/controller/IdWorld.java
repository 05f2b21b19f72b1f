package io.tidemark.nodeid.controller;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.InMemoryClaims;
import io.tidemark.cluster.InMemoryClusterNodes;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.error.ErrorCode;
import io.tidemark.metrics.TestMeters;
import io.tidemark.nodeid.NodeIdRanges;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.TestRanges;
import io.tidemark.nodeid.claim.IdLedger;
import io.tidemark.nodeid.claim.IdNotes;
import io.tidemark.nodeid.claim.NodeIdMirror;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** An API server of nodes and claims in virtual time, and controllers on it. */
final class IdWorld {
  static final Duration COOLDOWN = Duration.ofMinutes(5);
  static final int PARALLEL_REQUESTS = 8;

  final VirtualTime time = new VirtualTime(0);
  final InMemoryClusterNodes nodes = new InMemoryClusterNodes(time);
  final InMemoryClaims claims = new InMemoryClaims();

  /** Events on nodes: {@code + n1 TM-1502 detail}, {@code - n1 TM-1502}. */
  final List<String> told = new ArrayList<>();

  NodeIdRanges ranges = TestRanges.DEFAULTS;
  boolean writesPodCidr;
  EffectModel network = EffectModel.reliable(Duration.ofMillis(10), Duration.ofMillis(10));
  InMemoryClaims.Interference claimFaults = InMemoryClaims.Interference.NONE;
  InMemoryClusterNodes.Interference nodeFaults = InMemoryClusterNodes.Interference.NONE;
  final TestMeters measured = new TestMeters();

  /** A new controller, not started. */
  NodeIdController controller() {
    return controller(time.process("operator"));
  }

  NodeIdController controller(VirtualProcess process) {
    return new NodeIdController(
        new IdLedger(new NodeIdSubnets(ranges), COOLDOWN, writesPodCidr),
        PARALLEL_REQUESTS,
        Duration.ofSeconds(5),
        new ControllerParts(
            nodes.client("tidemark-operator", process, DeliveryDelay.NONE, nodeFaults),
            new Events(),
            measured.meters,
            process.effects(network),
            process,
            process,
            () -> true,
            new Random(1)),
        claims.client(process, DeliveryDelay.NONE, claimFaults));
  }

  /** A controller that has begun, with what it found done. */
  NodeIdController started() {
    NodeIdController controller = controller();
    controller.start(IdNotes.NONE);
    pass(Duration.ofSeconds(10));
    return controller;
  }

  ClusterNode node(String name) {
    return nodes.create(ClusterNode.named(name, "")).orElseThrow();
  }

  void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  /** The ids that nodes show, by name. */
  Map<String, String> shown() {
    return nodes.all().stream()
        .collect(
            Collectors.toMap(
                ClusterNode::name, node -> node.annotations().getOrDefault(NodeIdMirror.ID, "-")));
  }

  /** The holders of claims, by name of the claim. */
  Map<String, String> held() {
    return claims.all().stream().collect(Collectors.toMap(Claim::name, Claim::holder));
  }

  private final class Events implements ObjectEvents {
    @Override
    public void report(String object, ErrorCode code, String detail) {
      told.add("+ " + object + ' ' + code.label() + ' ' + detail);
    }

    @Override
    public void cleared(String object, ErrorCode code) {
      told.add("- " + object + ' ' + code.label());
    }
  }
}
