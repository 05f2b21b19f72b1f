package io.tidemark.nodecidr.ledger;

import io.tidemark.cluster.Messages;
import io.tidemark.ip.Cidr;

/**
 * How many blocks of a range are taken, and by what. A block that several of these touch is counted
 * once, for the first of them.
 *
 * @param blockLength prefix length of the blocks
 * @param blocks how many there are, 2<sup>62</sup> at most
 * @param excluded by settings
 * @param claimed by nodes
 * @param reserved for nodes whose CIDRs are being written
 * @param cooling since their nodes are absent
 * @param free for nodes to come
 */
public record RangeUsage(
    Cidr range,
    int blockLength,
    long blocks,
    long excluded,
    long claimed,
    long reserved,
    long cooling,
    long free) {

  @Override
  public String toString() {
    String all = blocks + (blocks == 1 ? " block" : " blocks");
    long used = claimed + reserved;
    return Messages.of(
        "%s has %s of /%s: %s used, %s excluded, %s cooling, %s free",
        range, all, blockLength, used, excluded, cooling, free);
  }
}
