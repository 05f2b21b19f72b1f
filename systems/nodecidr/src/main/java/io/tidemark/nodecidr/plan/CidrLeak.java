package io.tidemark.nodecidr.plan;

import io.tidemark.ip.Cidr;

/**
 * Blocks that an allocator counts as used, though no node has them and nothing excludes them.
 *
 * @param counted blocks that the allocator counts as used
 * @param explained blocks that nodes have or that are excluded
 */
public record CidrLeak(Cidr range, long counted, long explained) {

  public long blocks() {
    return counted - explained;
  }

  /** One line for people, without a full stop. */
  @Override
  public String toString() {
    return "the allocator counts "
        + counted
        + " blocks of "
        + range
        + " as used, "
        + blocks()
        + " more than nodes have and settings exclude";
  }
}
