package io.tidemark.nodecidr.ledger;

import io.tidemark.cluster.Messages;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFormatException;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The pod CIDRs of a node, each once, read from its texts as leniently as Kubernetes reads them. A
 * text that cannot be read or is not where it should be is a finding; one that can be read counts
 * all the same.
 */
public record NodePodCidrs(List<Cidr> cidrs, List<NodeProblem> findings) {
  /** Reads {@code spec.podCIDR}, empty text when it is not set, and {@code spec.podCIDRs}. */
  public static NodePodCidrs read(ClusterCidrs cluster, String podCidr, List<String> podCidrs) {
    List<Cidr> cidrs = new ArrayList<>();
    List<NodeProblem> findings = new ArrayList<>();
    List<String> texts = podCidrs.isEmpty() && !podCidr.isEmpty() ? List.of(podCidr) : podCidrs;
    if (!texts.isEmpty() && !podCidr.isEmpty() && !podCidr.equals(texts.get(0))) {
      findings.add(
          mismatch(
              podCidr, "podCIDR is " + podCidr + ", but podCIDRs begins with " + texts.get(0)));
      parse(podCidr, cidrs, findings);
    }
    for (int i = 0; i < texts.size(); i++) {
      String text = texts.get(i);
      Optional<Cidr> read = parse(text, cidrs, findings);
      if (read.isPresent()) {
        place(cluster, i, read.get(), findings);
      }
    }
    return new NodePodCidrs(cidrs, findings);
  }

  private static Optional<Cidr> parse(String text, List<Cidr> cidrs, List<NodeProblem> findings) {
    try {
      Cidr cidr = Cidr.parseLenient(text);
      if (!cidrs.contains(cidr)) {
        cidrs.add(cidr);
      }
      return Optional.of(cidr);
    } catch (IpFormatException e) {
      findings.add(
          new NodeProblem(NodeCidrError.CIDR_UNREADABLE, e.text(), String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }

  /** The problem of a CIDR at its index; a family that has no range is said as such. */
  private static void place(
      ClusterCidrs cluster, int index, Cidr cidr, List<NodeProblem> findings) {
    List<FamilyRanges> families = cluster.families();
    String text = cidr.toString();
    String where = "podCIDRs[" + index + "] is " + cidr;
    if (cluster.of(cidr.family()).isEmpty()) {
      String off = where + ", but no range of " + cidr.family() + " is configured";
      findings.add(
          cluster.says(
              new NodeProblem(NodeCidrError.FAMILY_OFF, text, off),
              Messages.of(
                  "unable to allocate CIDR %s since allocator for %s addresses does not exist",
                  cidr, cidr.family())));
    } else if (cluster.areOfCiliumNodes()) {
      return; // any number of each family, in any order
    } else if (index >= families.size()) {
      String most = families.size() == 1 ? "one CIDR" : families.size() + " CIDRs";
      findings.add(mismatch(text, where + ", but a node has " + most));
    } else if (families.get(index).family() != cidr.family()) {
      String expected = "; expected " + families.get(index).family() + " at this place";
      findings.add(mismatch(text, where + expected));
    }
  }

  /** A CIDR is outside of the ranges. */
  public static NodeProblem foreign(Cidr cidr) {
    return new NodeProblem(
        NodeCidrError.CIDR_FOREIGN, cidr.toString(), cidr + " is in no configured range");
  }

  /** A CIDR shares addresses with one of a {@code holder}, such as {@code of node worker-a}. */
  public static NodeProblem conflict(Cidr cidr, Cidr other, String holder) {
    return new NodeProblem(
        NodeCidrError.CIDR_CONFLICT,
        cidr.toString(),
        cidr + (cidr.equals(other) ? " is a CIDR " : " overlaps " + other + ", a CIDR ") + holder);
  }

  /** The CIDRs of a node, which it keeps, are not those that are expected of it. */
  public static NodeProblem mismatch(String value, String detail) {
    return new NodeProblem(NodeCidrError.CIDR_MISMATCH, value, detail);
  }
}
