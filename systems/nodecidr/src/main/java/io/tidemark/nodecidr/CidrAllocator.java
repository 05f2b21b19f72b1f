package io.tidemark.nodecidr;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.NodePodCidrs;
import io.tidemark.nodecidr.ledger.PodCidrsOutcome;
import io.tidemark.nodecidr.ledger.RangeUsage;
import io.tidemark.nodecidr.ledger.Reservation;
import io.tidemark.nodecidr.ledger.ReserveOutcome;
import io.tidemark.nodecidr.ledger.Settlement;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The range allocator by the verbs of the Kubernetes controller manager, for programs that watch
 * and write nodes themselves. It decides and does nothing else, so an allocation is a reservation:
 * the program writes its blocks to the node and tells the result by {@link #settle}. It is the
 * documented API for programs that were written against that allocator, which embed it; no program
 * here calls it:
 *
 * <pre>{@code
 * FamilyRanges ranges =
 *     new FamilyRanges(IpFamily.IPV4, 24, List.of(Cidr.parse("10.10.0.0/16")));
 * CidrAllocator allocator =
 *     CidrAllocator.rangeAllocator(
 *         new ClusterCidrs(List.of(ranges), List.of()), Duration.ofMinutes(5), time);
 * // Nodes that have CIDRs first, then those without:
 * Result existing = allocator.allocateOrOccupyCidr(old, List.of("10.10.0.0/24"));
 * Result result = allocator.allocateOrOccupyCidr(node, List.of());
 * if (result instanceof Result.Failed failed) {
 *   throw new IllegalStateException(failed.text());
 * }
 * if (result instanceof Result.Allocated allocated) {
 *   List<Cidr> blocks = allocated.reservation().blocks();
 *   PodCidrsOutcome written = api.writePodCidrs(node, blocks);
 *   Settlement settlement = allocator.settle(allocated.reservation(), written);
 *   if (settlement.next() == Settlement.Next.REPEAT) {
 *     settlement = allocator.settle(settlement.reservation(), api.writePodCidrs(node, blocks));
 *   }
 * }
 * // The node is deleted:
 * allocator.releaseCidr(node);
 * }</pre>
 *
 * <p>Thread-safe; the caller does all work for one node in order.
 */
public final class CidrAllocator {
  private final CidrLedger ledger;
  private final TimeSource time;

  public sealed interface Result {
    /** It has CIDRs, and these are its own now. */
    record Occupied(List<NodeProblem> findings) implements Result {}

    /** Blocks to be written to it. */
    record Allocated(Reservation reservation) implements Result {}

    /** It gets none: the controller manager's text, and an event for people. Nothing changed. */
    record Failed(String text, NodeCidrEvent event) implements Result {}
  }

  private CidrAllocator(CidrLedger ledger, TimeSource time) {
    this.ledger = ledger;
    this.time = time;
  }

  /**
   * An allocator that takes blocks out of ranges; those of a removed node are given to nobody for
   * the cooldown. Before the first allocation, every node that exists goes through {@link
   * #allocateOrOccupyCidr}, those with CIDRs first.
   */
  public static CidrAllocator rangeAllocator(
      ClusterCidrs cidrs, Duration cooldown, TimeSource time) {
    return new CidrAllocator(new CidrLedger(cidrs, cooldown), time);
  }

  /** Takes note of the CIDRs of a node as they are, or reserves some when it has none. */
  public Result allocateOrOccupyCidr(NodeOwner node, List<String> podCidrs) {
    endOfCooldowns();
    if (!podCidrs.isEmpty()) {
      NodePodCidrs read = NodePodCidrs.read(ledger.cidrs(), "", podCidrs);
      List<NodeProblem> findings = new ArrayList<>(read.findings());
      findings.addAll(ledger.claim(node, read.cidrs()));
      return new Result.Occupied(findings);
    }
    ReserveOutcome outcome = ledger.reserve(node, time.nanos());
    if (outcome instanceof ReserveOutcome.Reserved reserved) {
      return new Result.Allocated(reserved.reservation());
    }
    return outcome
        .shortage()
        .<Result>map(why -> failed(outcome.usage(), NodeCidrEvent.of(node.name(), why)))
        .orElseGet(() -> new Result.Occupied(List.of()));
  }

  /** As {@link CidrLedger#occupied}: the node has other CIDRs than an allocation's blocks. */
  public void occupied(Reservation reservation, List<String> podCidrs) {
    ledger.occupied(reservation, podCidrs, time.nanos());
  }

  /** The result of writing an allocation's blocks. */
  public Settlement settle(Reservation reservation, PodCidrsOutcome outcome) {
    return ledger.settle(reservation, outcome, time.nanos());
  }

  /**
   * A node is removed for certain: what it has is free after the cooldown. Its CIDRs are known by
   * its uid, so what its last version shows does not matter.
   */
  public void releaseCidr(NodeOwner node) {
    ledger.absent(node, time.nanos());
    endOfCooldowns();
  }

  public List<RangeUsage> usage() {
    return ledger.usage();
  }

  private void endOfCooldowns() {
    ledger.due(time.nanos()).forEach(ledger::confirmAbsent);
  }

  private Result failed(List<RangeUsage> usage, NodeCidrEvent event) {
    List<IpFamily> families = ledger.cidrs().families().stream().map(FamilyRanges::family).toList();
    int index = usage.isEmpty() ? 0 : families.indexOf(usage.get(0).range().family());
    return new Result.Failed(
        "failed to allocate cidr from cluster cidr at idx:"
            + index
            + ": CIDR allocation failed; there are no remaining CIDRs left to allocate in the"
            + " accepted range",
        event);
  }
}
