package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import java.time.Duration;
import java.util.List;

/**
 * A node that is gone and whose CIDRs are given to nobody yet.
 *
 * @param left how long the cooldown lasts still; zero or less when it has ended and the absence is
 *     being confirmed
 */
public record CooledNode(NodeOwner owner, List<Cidr> cidrs, Duration left) {
  public CooledNode {
    cidrs = List.copyOf(cidrs);
  }
}
