package io.tidemark.nodecidr.plan;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.Messages;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.RangeUsage;
import io.tidemark.nodecidr.ledger.ReserveOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The actions of an allocator for nodes that exist.
 *
 * @param nodes how many there are
 * @param assigned how many of them have CIDRs
 * @param findings what is wrong with the CIDRs that they have, by name, then who would get none
 * @param grants what nodes without CIDRs would get, and CiliumNodes that lack a family, in the
 *     order in which they would be served; empty also when not all nodes are known
 * @param without how many nodes would get none, since no block is free
 * @param usage of each range, by the nodes that have CIDRs
 * @param leaks blocks that an allocator counts as used without a reason, by range
 * @param notes settings to check, a sentence each without a full stop
 */
public record NodePlan(
    int nodes,
    int assigned,
    List<NodeProblem.At> findings,
    List<Grant> grants,
    int without,
    List<RangeUsage> usage,
    List<CidrLeak> leaks,
    List<String> notes) {
  public record Grant(String node, List<Cidr> cidrs) {}

  /** Blocks that an allocator counts as used, beyond those that nodes have or settings exclude. */
  public record CidrLeak(Cidr range, long counted, long explained) {
    /** How a number of blocks is told that does not agree with nodes and settings. */
    static final String COUNTED =
        "the allocator counts %s blocks of %s as used, %s %s than nodes have and settings exclude";

    public long blocks() {
      return counted - explained;
    }

    @Override
    public String toString() {
      return Messages.of(COUNTED, counted, range, blocks(), "more");
    }
  }

  /**
   * The plan for these nodes, with unique names, and what an allocator counts as used. Unless these
   * are all nodes nothing is granted, since a node that is not known may have any block.
   */
  public static NodePlan of(
      ClusterCidrs cidrs,
      List<ClusterNode> nodes,
      boolean complete,
      Optional<UsageScrape> counted) {
    ExistingCidrs existing = ExistingCidrs.of(cidrs, nodes);
    CidrLedger ledger = new CidrLedger(cidrs, Duration.ZERO);
    Set<Cidr> claimed = new HashSet<>();
    existing
        .cidrs()
        .forEach(
            (node, has) ->
                ledger.claim(
                    NodeOwner.of(node),
                    existing.incomplete().contains(node)
                        ? has
                        : has.stream().filter(claimed::add).toList()));
    List<RangeUsage> usage = ledger.usage();
    List<NodeProblem.At> findings = new ArrayList<>(existing.findings());
    List<String> notes = new ArrayList<>();
    List<CidrLeak> leaks = new ArrayList<>();
    counted.ifPresent(scrape -> scrape.compare(usage, leaks, notes));
    List<Grant> grants = new ArrayList<>();
    int without = 0;
    List<ClusterNode> waiting = complete ? waiting(nodes, existing, notes) : List.of();
    for (ClusterNode node : waiting) {
      ReserveOutcome outcome = ledger.reserve(NodeOwner.of(node), 0);
      if (outcome instanceof ReserveOutcome.Reserved reserved) {
        grants.add(new Grant(node.name(), reserved.reservation().blocks()));
      } else if (outcome instanceof ReserveOutcome.Exhausted exhausted) {
        without++;
        String none = "no " + exhausted.usage().get(0).range().family() + " block is free";
        findings.add(
            new NodeProblem.At(node.name(), new NodeProblem(NodeCidrError.CIDR_EXHAUSTED, none)));
      }
    }
    return new NodePlan(
        nodes.size(), existing.cidrs().size(), findings, grants, without, usage, leaks, notes);
  }

  public boolean needsAttention() {
    return !findings.isEmpty() || !leaks.isEmpty();
  }

  private static List<ClusterNode> waiting(
      List<ClusterNode> nodes, ExistingCidrs existing, List<String> notes) {
    List<ClusterNode> waiting = new ArrayList<>();
    for (ClusterNode node : nodes) {
      boolean lacks = node.podCidrs().isEmpty() || existing.incomplete().contains(node);
      if (lacks && node.beingDeleted()) {
        notes.add("node " + node.name() + " is being deleted, and gets no CIDRs");
      } else if (lacks && node.exempt()) {
        notes.add("node " + node.name() + " is exempt, and gets no CIDRs");
      } else if (lacks) {
        waiting.add(node);
      }
    }
    waiting.sort(ClusterNode.OLDEST_FIRST);
    return waiting;
  }
}
