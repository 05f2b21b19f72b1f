package io.tidemark.nodecidr.plan;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.Messages;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.CidrOverlaps;
import io.tidemark.ip.CidrOverlaps.Held;
import io.tidemark.ip.CidrOverlaps.Overlap;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Exclusion;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Target;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodePodCidrs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The CIDRs that nodes have, and what is wrong with them. Unlike a ledger, which sees one node
 * after the other, this sees all at once: a conflict is reported for each of its nodes.
 *
 * @param cidrs of each node that has some, also when none can be read
 * @param incomplete CiliumNodes that have CIDRs, but not of each family: the others are added
 * @param findings by name of the node
 */
record ExistingCidrs(
    Map<ClusterNode, List<Cidr>> cidrs,
    Set<ClusterNode> incomplete,
    List<NodeProblem.At> findings) {
  static ExistingCidrs of(ClusterCidrs cluster, List<ClusterNode> nodes) {
    Map<ClusterNode, List<Cidr>> cidrs = new LinkedHashMap<>();
    List<NodeProblem.At> findings = new ArrayList<>();
    Set<ClusterNode> incomplete = new HashSet<>();
    List<Held<String>> held = new ArrayList<>();
    for (ClusterNode node : nodes) {
      if (!node.podCidrs().isEmpty()) {
        NodePodCidrs read =
            NodePodCidrs.read(cluster, node.podCidrs().first(), node.podCidrs().all());
        cidrs.put(node, read.cidrs());
        List<NodeProblem> found = new ArrayList<>(read.findings());
        for (Cidr cidr : read.cidrs()) {
          cluster.of(cidr.family()).flatMap(family -> place(family, cidr)).ifPresent(found::add);
        }
        for (FamilyRanges family : missing(cluster, read)) {
          if (cluster.target() == Target.CILIUM_NODE) {
            incomplete.add(node);
          } else {
            found.add(NodePodCidrs.mismatch("", "the node has no " + family.family() + " CIDR"));
          }
        }
        found.forEach(each -> findings.add(new NodeProblem.At(node.name(), each)));
        read.cidrs().forEach(each -> held.add(new Held<>(each, node.name())));
      }
    }
    for (Overlap<String> each : CidrOverlaps.of(held)) {
      findings.add(conflict(each));
    }
    Map<Cidr, NodeProblem> excluded = excluded(cluster, held);
    for (Held<String> each : held) {
      Optional.ofNullable(excluded.get(each.cidr()))
          .ifPresent(found -> findings.add(new NodeProblem.At(each.holder(), found)));
    }
    findings.sort(Comparator.comparing(NodeProblem.At::node));
    return new ExistingCidrs(cidrs, incomplete, findings);
  }

  /** The problem of a CIDR that is no block of a range. */
  private static Optional<NodeProblem> place(FamilyRanges family, Cidr cidr) {
    Optional<Cidr> range = family.ranges().stream().filter(cidr::overlaps).findFirst();
    if (range.isEmpty()) {
      return Optional.of(NodePodCidrs.foreign(cidr));
    }
    return cidr.prefixLength() == family.blockLength()
        ? Optional.empty()
        : Optional.of(
            NodePodCidrs.mismatch(
                cidr.toString(),
                Messages.of(
                    "%s is a /%s, but the blocks of %s are /%s",
                    cidr, cidr.prefixLength(), range.get(), family.blockLength())));
  }

  /** Families of which a node has no CIDR; a text that cannot be read may be of any. */
  private static List<FamilyRanges> missing(ClusterCidrs cluster, NodePodCidrs read) {
    return read.findings().stream().anyMatch(each -> each.code() == NodeCidrError.CIDR_UNREADABLE)
        ? List.of()
        : cluster.families().stream()
            .filter(
                family -> read.cidrs().stream().noneMatch(each -> each.family() == family.family()))
            .toList();
  }

  private static NodeProblem.At conflict(Overlap<String> overlap) {
    String holder = "of node " + overlap.other().holder();
    if (overlap.more() > 0) {
      holder += " and of " + overlap.more() + (overlap.more() == 1 ? " other" : " others");
    }
    return new NodeProblem.At(
        overlap.held().holder(),
        NodePodCidrs.conflict(overlap.held().cidr(), overlap.other().cidr(), holder));
  }

  /** The CIDRs that share addresses with an exclusion; all nodes count as one holder. */
  private static Map<Cidr, NodeProblem> excluded(ClusterCidrs cluster, List<Held<String>> held) {
    List<Held<Optional<Exclusion>>> all = new ArrayList<>();
    cluster.exclusions().forEach(each -> all.add(new Held<>(each.cidr(), Optional.of(each))));
    held.forEach(each -> all.add(new Held<>(each.cidr(), Optional.empty())));
    Map<Cidr, NodeProblem> found = new HashMap<>();
    for (Overlap<Optional<Exclusion>> each : CidrOverlaps.of(all)) {
      if (each.held().holder().isEmpty() && each.other().holder().isPresent()) {
        String reason = each.other().holder().get().reason();
        found.putIfAbsent(
            each.held().cidr(),
            NodePodCidrs.conflict(
                each.held().cidr(), each.other().cidr(), "that " + reason + " excludes"));
      }
    }
    return found;
  }
}
