package io.tidemark.nodecidr.simulation;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.nodecidr.cloud.AliasCloud;
import io.tidemark.nodecidr.controller.CidrNodeReport;
import io.tidemark.nodecidr.controller.NodeCidrController;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The invariants at rest where nodes follow a cloud (node-cidr 17.7 AM34, K10). */
record CloudJudge(
    CidrAllocatorType type, SimulatedServer server, AliasCloud cloud, ClusterCidrs cidrs) {

  void atRest(NodeCidrController controller) {
    Map<String, CidrNodeReport> reports = new HashMap<>();
    controller.nodes().forEach(each -> reports.put(each.node().name(), each));
    for (ClusterNode node : server.all()) {
      CidrNodeReport report = reports.get(node.name());
      if (report != null && !node.beingDeleted() && controller.paused().isEmpty()) {
        look(node, report, controller);
      }
    }
  }

  private void look(ClusterNode node, CidrNodeReport report, NodeCidrController controller) {
    List<Cidr> ranges = cloud.of(SimulatedCluster.instanceOf(node));
    boolean silent = report.matters().isEmpty();
    List<Cidr> has = node.podCidrs().texts().stream().map(Cidr::parse).toList();
    for (Cidr each : has) {
      boolean ofCloud = cidrs.of(each.family()).filter(this::isCompared).isPresent();
      check(
          !silent || !ofCloud || ranges.contains(each),
          node,
          "has " + each + ", its instance " + ranges + ", and nothing is reported");
    }
    check(
        !silent || node.networkUnavailable().equals(Optional.of(false)),
        node,
        "has no condition, and nothing is reported");
    if (has.isEmpty()) {
      check(
          !mayBeGiven(node, ranges, controller), node, "gets nothing of " + ranges + ": " + report);
    }
  }

  private boolean isCompared(FamilyRanges family) {
    return family.isOfCloud() || type != CidrAllocatorType.CLOUD_ALLOCATOR;
  }

  /** Whether a node without CIDRs could have some. */
  private boolean mayBeGiven(ClusterNode node, List<Cidr> ranges, NodeCidrController controller) {
    boolean hasBlocks = controller.ranges().stream().allMatch(range -> range.free() > held());
    if (ranges.isEmpty()) {
      return type == CidrAllocatorType.IPAM_FROM_CLUSTER && hasBlocks;
    }
    boolean ranged = cidrs.families().stream().anyMatch(each -> !each.isOfCloud());
    if (type == CidrAllocatorType.CLOUD_ALLOCATOR && ranged && !hasBlocks) {
      return false;
    }
    return server.all().stream()
            .filter(each -> !each.uid().equals(node.uid()))
            .flatMap(each -> each.podCidrs().texts().stream())
            .map(Cidr::parse)
            .noneMatch(ranges.get(0)::overlaps)
        && cidrs.exclusions().stream().noneMatch(each -> each.cidr().overlaps(ranges.get(0)));
  }

  /** Ranges of instances, which may be free as far as nodes show. */
  private long held() {
    return cloud.instances().stream().mapToLong(each -> cloud.of(each).size()).sum();
  }

  private static void check(boolean holds, ClusterNode node, String otherwise) {
    ClusterJudge.check("K10", holds, node.name() + " " + otherwise);
  }
}
