package io.tidemark.nodecidr.cloud;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The state of one node in the cloud, in its object and in the ledger.
 *
 * @param type who decides
 * @param cidrs the families, in the order of a node's CIDRs
 * @param instance as messages name it
 * @param ranges of the instance, in the cloud's order
 * @param has CIDRs of the node; none when it has none
 * @param reserved blocks that are kept for the node; empty when none are
 * @param routed whether the node shows that its network is available, or need not
 * @param obstacles why the node cannot have a CIDR; none when it can
 * @param isCooling whether another node, which was not seen for a short time, has or had a CIDR
 * @param isHold whether writes of a former leader may still arrive
 */
public record CloudView(
    CidrAllocatorType type,
    ClusterCidrs cidrs,
    String instance,
    List<Cidr> ranges,
    List<Cidr> has,
    Optional<List<Cidr>> reserved,
    boolean routed,
    Function<Cidr, List<NodeProblem>> obstacles,
    Predicate<Cidr> isCooling,
    boolean isHold) {
  List<Cidr> ranges(IpFamily family) {
    return ranges.stream().filter(each -> each.family() == family).toList();
  }

  List<Cidr> has(IpFamily family) {
    return has.stream().filter(each -> each.family() == family).toList();
  }

  /** The one family of a mode that synchronizes. */
  IpFamily family() {
    return cidrs.families().get(0).family();
  }
}
