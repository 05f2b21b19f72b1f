package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;
import java.util.Objects;

/**
 * How often blocks of a range changed since the start, counted as the Kubernetes controller manager
 * counts: each block for itself, whatever took it.
 *
 * @param allocations blocks that were taken
 * @param releases blocks that were given back
 */
public record RangeChanges(Cidr range, long allocations, long releases) {
  public RangeChanges {
    Objects.requireNonNull(range, "range");
  }

  RangeChanges plus(long taken, long givenBack) {
    return new RangeChanges(range, allocations + taken, releases + givenBack);
  }
}
