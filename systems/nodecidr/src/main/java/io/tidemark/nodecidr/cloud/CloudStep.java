package io.tidemark.nodecidr.cloud;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.error.ErrorCode;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The next step for one node, by what cloud and node show. Each step can be repeated, and after a
 * crash the same view leads to the same step: the order is range of the instance, CIDRs of the
 * node, condition of the node.
 *
 * <p>{@code CloudAllocator} gives a node the first range of its instance of each family that the
 * cloud assigns. The modes that synchronize have one family:
 *
 * <table>
 *   <caption>By what the node has, and its instance</caption>
 *   <tr><th>Node</th><th>Instance</th><th>IPAMFromCloud</th><th>IPAMFromCluster</th></tr>
 *   <tr><td>none</td><td>none</td><td>stuck</td><td>reserve, add, write</td></tr>
 *   <tr><td>none</td><td>range</td><td>write</td><td>write a block of ours; else stuck</td></tr>
 *   <tr><td>CIDR</td><td>none</td><td>stuck</td><td>add</td></tr>
 *   <tr><td>CIDR</td><td>range</td><td>compare</td><td>compare</td></tr>
 * </table>
 */
public sealed interface CloudStep {
  /**
   * Keep blocks for the node: those that the cloud has given, and one of each family that has a
   * range; then look again.
   */
  record Reserve(List<Cidr> given) implements CloudStep {}

  record Add(Cidr range) implements CloudStep {}

  /** The steps that have no parts. */
  enum Plain implements CloudStep {
    /** The blocks that are kept for the node are not its own after all; then look again. */
    WITHDRAW,
    /** Read the instance, which comes first in each pass. */
    READ,
    /** Nothing before a request has ended, or a pause. */
    WAIT,
    /** Write the blocks that are kept for the node to it. */
    WRITE,
    /** Say on the node that its network is available. */
    ANNOUNCE,
    /** Nothing: cloud and node agree. */
    SETTLED
  }

  /**
   * Nothing can be done now; the node is looked at again after a pause, a short one if the pass has
   * failed, or when it changes.
   */
  record Stuck(NodeProblem why, boolean isError) implements CloudStep {
    Stuck(ErrorCode code, String detail, boolean isError) {
      this(new NodeProblem(code, detail), isError);
    }
  }

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
  record View(
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

  static CloudStep of(View view) {
    if (!view.has().isEmpty()) {
      return compare(view);
    }
    return view.type() == CidrAllocatorType.IPAM_FROM_CLUSTER ? fromCluster(view) : fromCloud(view);
  }

  private static CloudStep fromCloud(View view) {
    List<Cidr> given = new ArrayList<>();
    for (IpFamily family : ofCloud(view)) {
      List<Cidr> ranges = view.ranges(family);
      if (ranges.isEmpty()) {
        return withoutReserved(view, missing(view, family));
      }
      Optional<NodeProblem> obstacle = view.obstacles().apply(ranges.get(0)).stream().findFirst();
      if (obstacle.isPresent()) {
        return withoutReserved(view, obstructed(view, obstacle.get()));
      }
      if (view.isCooling().test(ranges.get(0))) {
        return withoutReserved(view, cooling(view, ranges.get(0)));
      }
      given.add(ranges.get(0));
    }
    if (view.reserved().isEmpty()) {
      return new Reserve(given);
    }
    return view.reserved().get().containsAll(given) ? Plain.WRITE : Plain.WITHDRAW;
  }

  /** The reservation of a node that is stuck is given back first. */
  private static CloudStep withoutReserved(View view, Stuck stuck) {
    return view.reserved().isPresent() ? Plain.WITHDRAW : stuck;
  }

  private static CloudStep fromCluster(View view) {
    List<Cidr> ranges = view.ranges(view.family());
    if (view.reserved().isPresent()) {
      Cidr block = view.reserved().get().get(0);
      if (ranges.contains(block)) {
        return Plain.WRITE;
      }
      boolean free = ranges.isEmpty() && view.obstacles().apply(block).isEmpty();
      return free ? new Add(block) : Plain.WITHDRAW;
    }
    if (ranges.isEmpty()) {
      return new Reserve(List.of());
    }
    // A block of ours that the node does not have yet: a write of it was interrupted.
    Optional<Cidr> block =
        ranges.stream()
            .filter(each -> view.cidrs().blockOf(each).isPresent())
            .filter(each -> view.obstacles().apply(each).isEmpty())
            .findFirst();
    if (block.isEmpty()) {
      String detail = "the node has no CIDR, and instance " + view.instance() + " has ";
      return new Stuck(
          NodeCidrError.CIDR_MODE,
          detail + text(ranges) + ", which is not a free block of the cluster",
          true);
    }
    if (view.isCooling().test(block.get())) {
      return cooling(view, block.get());
    }
    return view.isHold()
        ? withheld(view, block.get(), "is withheld: a former leader may have given it to a node")
        : new Reserve(List.of(block.get()));
  }

  private static CloudStep compare(View view) {
    List<IpFamily> compared =
        view.type() == CidrAllocatorType.CLOUD_ALLOCATOR ? ofCloud(view) : List.of(view.family());
    for (IpFamily family : compared) {
      List<Cidr> has = view.has(family);
      List<Cidr> ranges = view.ranges(family);
      if (ranges.isEmpty()) {
        return toCloud(view, family);
      }
      if (has.isEmpty() || !ranges.containsAll(has)) {
        String node = has.isEmpty() ? "no CIDR of " + family : text(has);
        return new Stuck(
            NodeCidrError.CLOUD_MISMATCH,
            "the node has " + node + ", and instance " + view.instance() + " has " + text(ranges),
            false);
      }
    }
    return view.routed() ? Plain.SETTLED : Plain.ANNOUNCE;
  }

  private static CloudStep toCloud(View view, IpFamily family) {
    List<Cidr> has = view.has(family);
    if (view.type() != CidrAllocatorType.IPAM_FROM_CLUSTER) {
      return missing(view, family);
    }
    // The problem of the node's CIDR is reported already; the cloud gets no part in it.
    boolean sound = !has.isEmpty() && view.obstacles().apply(has.get(0)).isEmpty();
    return sound ? new Add(has.get(0)) : Plain.SETTLED;
  }

  private static Stuck missing(View view, IpFamily family) {
    String detail = "instance " + view.instance() + " has no range of " + family;
    String has = view.has().isEmpty() ? "no CIDR" : text(view.has());
    return view.type() == CidrAllocatorType.IPAM_FROM_CLOUD
        ? new Stuck(NodeCidrError.CIDR_MODE, "the node has " + has + ", and " + detail, true)
        : new Stuck(NodeCidrError.CLOUD_RANGE_MISSING, detail, true);
  }

  /** That node may be there still: its absence is confirmed at the end of the cooldown. */
  private static Stuck cooling(View view, Cidr range) {
    return withheld(view, range, "cools: another node had it");
  }

  private static Stuck withheld(View view, Cidr range, String why) {
    String detail = range + " of instance " + view.instance() + " " + why;
    return new Stuck(NodeCidrError.CIDR_WITHHELD, detail, true);
  }

  private static Stuck obstructed(View view, NodeProblem obstacle) {
    String detail = "of instance " + view.instance() + ", " + obstacle.detail();
    return new Stuck(obstacle.code(), detail, true);
  }

  /** The families whose blocks come from the cloud. */
  private static List<IpFamily> ofCloud(View view) {
    return view.cidrs().families().stream()
        .filter(each -> each.isOfCloud() || view.type() == CidrAllocatorType.IPAM_FROM_CLOUD)
        .map(FamilyRanges::family)
        .toList();
  }

  private static String text(List<Cidr> cidrs) {
    return String.join(", ", cidrs.stream().map(Cidr::toString).toList());
  }
}
