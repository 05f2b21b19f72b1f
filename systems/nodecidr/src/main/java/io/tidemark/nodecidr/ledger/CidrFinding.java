package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.CidrLayers.Layer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Something wrong with a CIDR of a node.
 *
 * @param value the CIDR, as the node holds it where it cannot be read
 * @param detail what is wrong, with the value and without a full stop
 */
public record CidrFinding(NodeCidrError code, String value, String detail) {

  /** The whole message: code, what is wrong, and what to do. */
  public String message() {
    return code.label() + " " + code.name() + ": " + detail + ". " + code.remedy();
  }

  /**
   * The problems of a CIDR that a node claims: that it is in no range, and each of those who have
   * addresses of it. Blocks of an absent node are no conflict: it is most probably gone.
   *
   * @param names name of the node with a uid
   */
  static List<CidrFinding> about(
      NodeOwner owner,
      Cidr cidr,
      ClusterCidrs cidrs,
      CidrLayers layers,
      UnaryOperator<String> names) {
    List<CidrFinding> findings = new ArrayList<>();
    boolean known =
        cidrs
            .of(cidr.family())
            .map(family -> !family.isOfCloud())
            .orElse(!cidrs.areOfCiliumNodes());
    if (known && !layers.isTouched(cidr)) {
      findings.add(
          foreign(cidr).says(cidrs, "allocator not configured for the requested CIDR " + cidr));
    }
    layers.forEachOverlapping(
        cidr,
        (layer, other, holders) -> {
          for (String holder : holders) {
            if (layer != Layer.COOLING && !holder.equals(owner.uid())) {
              findings.add(
                  conflict(cidr, other, holder(layer, holder, names))
                      .says(cidrs, "requested CIDR (" + cidr + ") is already allocated"));
            }
          }
        });
    return findings;
  }

  /** A CIDR is outside of the ranges. */
  public static CidrFinding foreign(Cidr cidr) {
    return new CidrFinding(
        NodeCidrError.CIDR_FOREIGN, cidr.toString(), cidr + " is in no configured range");
  }

  /**
   * A CIDR shares addresses with another one.
   *
   * @param holder who has the other one, such as {@code of node worker-a}
   */
  public static CidrFinding conflict(Cidr cidr, Cidr other, String holder) {
    return new CidrFinding(
        NodeCidrError.CIDR_CONFLICT,
        cidr.toString(),
        cidr + (cidr.equals(other) ? " is a CIDR " : " overlaps " + other + ", a CIDR ") + holder);
  }

  /** The CIDRs of a CiliumNode were changed to others. */
  static CidrFinding changed(String before, String now) {
    return new CidrFinding(
        NodeCidrError.CIDR_MISMATCH,
        now,
        "node has CIDRs allocated ("
            + before
            + ") that conflict with requested CIDRs "
            + now
            + ": somebody changed them");
  }

  /** Of a CiliumNode, the same finding, which begins with what the Cilium operator says. */
  CidrFinding says(ClusterCidrs cidrs, String reference) {
    return cidrs.areOfCiliumNodes()
        ? new CidrFinding(code, value, reference + ": " + detail)
        : this;
  }

  private static String holder(Layer layer, String holder, UnaryOperator<String> names) {
    return switch (layer) {
      case EXCLUDED -> "that " + holder + " excludes";
      case RESERVED -> "that is being written to node " + names.apply(holder);
      case CLAIMED, COOLING -> "of node " + names.apply(holder);
    };
  }
}
