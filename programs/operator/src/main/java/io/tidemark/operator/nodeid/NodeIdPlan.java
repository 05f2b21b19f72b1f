package io.tidemark.operator.nodeid;

import io.tidemark.ip.Cidr;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdCapacity;
import io.tidemark.nodeid.NodeIdRanges;
import io.tidemark.nodeid.NodeIdRanges.RangeOverlap;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.SubnetPlan;
import io.tidemark.nodeid.plan.NodeIdCheck;
import io.tidemark.resource.ResourceProblem;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@code node-id plan}.
 *
 * @param overlaps pairs of ranges that share addresses
 * @param nodes the nodes that were asked for
 * @param table whether a table of nodes was asked for
 * @param lacking how many nodes that were asked for have no id
 * @param check of nodes that exist; empty when none were given
 * @param refused objects and files that cannot be read
 * @param notes settings to check, a sentence each without a full stop
 */
record NodeIdPlan(
    NodeIdRanges ranges,
    NodeIdCapacity capacity,
    List<RangeOverlap> overlaps,
    List<SubnetPlan> nodes,
    boolean table,
    long lacking,
    Optional<NodeIdCheck> check,
    List<ResourceProblem> refused,
    List<String> notes) {
  /**
   * The plan of one node, of the first {@code count}, or of none.
   *
   * @throws io.tidemark.error.IpamException when no node can have this id
   */
  static NodeIdPlan of(
      NodeIdSubnets subnets, Optional<NodeId> id, @Nullable Integer count, List<String> notes) {
    long wanted = count == null ? 0 : count;
    long rows = Math.min(wanted, subnets.capacity().ids());
    List<SubnetPlan> nodes =
        id.map(one -> List.of(subnets.plan(one)))
            .orElseGet(
                () ->
                    LongStream.rangeClosed(1, rows)
                        .mapToObj(number -> subnets.plan(NodeId.of(number)))
                        .toList());
    return new NodeIdPlan(
        subnets.ranges(),
        subnets.capacity(),
        subnets.ranges().overlaps(),
        nodes,
        count != null,
        wanted - rows,
        Optional.empty(),
        List.of(),
        notes);
  }

  NodeIdPlan checking(NodeIdCheck found, List<ResourceProblem> unreadable) {
    return new NodeIdPlan(
        ranges, capacity, overlaps, nodes, table, lacking, Optional.of(found), unreadable, notes);
  }

  boolean isWanting() {
    return !overlaps.isEmpty()
        || lacking > 0
        || !refused.isEmpty()
        || check.filter(NodeIdCheck::needsAttention).isPresent();
  }

  /** How many addresses for pods a pod subnet of this length has. */
  BigInteger podsPerNode() {
    return pods(ranges.pods().family().bits() - ranges.podPrefix());
  }

  static BigInteger pods(Cidr podSubnet) {
    return pods(podSubnet.family().bits() - podSubnet.prefixLength());
  }

  private static BigInteger pods(int hostBits) {
    return BigInteger.ONE.shiftLeft(hostBits).subtract(BigInteger.valueOf(SubnetPlan.RESERVED));
  }
}
