package io.tidemark.nodecidr.ledger;

import io.tidemark.ip.Cidr;

/**
 * How far the search through a range has come.
 *
 * @param blockLength prefix length of the blocks
 * @param blocks how many there are
 * @param cursor the block at which the next search begins
 * @param frontier what a next leader was told: at or above this block none was given out or seen on
 *     a node; the number of blocks when there is no such place
 * @param withheld free blocks that are not given out since a former leader's writes may arrive
 * @param allocations how often a block was taken since the start, counted as the Kubernetes
 *     controller manager counts: each block for itself, whatever took it
 * @param releases how often one was given back
 */
public record RangeRound(
    Cidr range,
    int blockLength,
    long blocks,
    long cursor,
    long frontier,
    long withheld,
    long allocations,
    long releases) {}
