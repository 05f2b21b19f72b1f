package io.tidemark.nodecidr.plan;

import io.tidemark.nodecidr.ledger.CidrFinding;

/** Something wrong with a CIDR of a node, or that it would get none. */
public record NodeFinding(String node, CidrFinding finding) {}
