package io.tidemark.nodecidr.plan;

import io.tidemark.nodecidr.ledger.CidrFinding;
import java.util.Objects;

/** Something wrong with a CIDR of a node, or that it would get none. */
public record NodeFinding(String node, CidrFinding finding) {
  public NodeFinding {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(finding, "finding");
  }
}
