package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.nodecidr.ledger.CidrFinding;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.NodePodCidrs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The first work of a controller: it claims the CIDRs of all nodes, those that are being deleted
 * too, and only then reserves blocks for nodes without any, the oldest node first.
 *
 * @param findings what is wrong with the CIDRs of which nodes
 * @param lacking nodes that shall get blocks, in their order
 */
record StartPass(Map<NodeOwner, List<CidrFinding>> findings, List<ClusterNode> lacking) {
  /** Claims all CIDRs in a ledger. */
  static StartPass claim(CidrLedger ledger, List<ClusterNode> nodes) {
    List<ClusterNode> ordered = nodes.stream().sorted(ClusterNode.OLDEST_FIRST).toList();
    Map<NodeOwner, List<CidrFinding>> findings = new LinkedHashMap<>();
    List<ClusterNode> lacking = new ArrayList<>();
    for (ClusterNode node : ordered) {
      NodePodCidrs read = read(ledger, node);
      List<CidrFinding> found = new ArrayList<>(read.findings());
      found.addAll(ledger.claim(NodeOwner.of(node), read.cidrs()));
      if (!found.isEmpty()) {
        findings.put(NodeOwner.of(node), found);
      }
      boolean lacks =
          node.podCidrs().isEmpty()
              || (ledger.isIncomplete(NodeOwner.of(node)) && isReadable(read.findings()));
      if (lacks && !node.beingDeleted() && !node.exempt()) {
        lacking.add(node);
      }
    }
    return new StartPass(findings, lacking);
  }

  /** Whether no CIDR may be of a family that seems to be missing. */
  private static boolean isReadable(List<CidrFinding> findings) {
    return findings.stream().noneMatch(each -> each.code() == NodeCidrError.CIDR_UNREADABLE);
  }

  /** Reserves blocks for the nodes without any, in their order, as far as there are blocks. */
  void reserve(CidrLedger ledger, long now) {
    lacking.forEach(node -> ledger.reserve(NodeOwner.of(node), now));
  }

  /** The problems, a sentence each. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    findings.forEach(
        (owner, found) ->
            found.forEach(each -> sentences.add("node " + owner.name() + ": " + each.message())));
    return sentences;
  }

  static NodePodCidrs read(CidrLedger ledger, ClusterNode node) {
    return NodePodCidrs.read(ledger.cidrs(), node.podCidrs().first(), node.podCidrs().all());
  }
}
