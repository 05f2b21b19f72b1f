/**
 * Runs in: operator.
 *
 * <p>Which node has which block of pod addresses. {@code CidrLedger} decides and does nothing else:
 * it knows which blocks are excluded, claimed by nodes, or held, and takes time as a parameter.
 * {@code ClusterCidrs} says what there is to give, {@code CidrLayers} what is taken and why, {@code
 * BlockSpace} finds a free block of one range, {@code LedgerRange} says how far into it blocks may
 * be given out after a take-over.
 *
 * <p>Looks wrong, is right: a node whose deletion has begun keeps its block, since it may still run
 * pods; and a node never loses a CIDR that another one has too, since its pods use it.
 *
 * <p>Read {@link io.tidemark.nodecidr.ledger.CidrLedger} first.
 */
@NullMarked
package io.tidemark.nodecidr.ledger;

import org.jspecify.annotations.NullMarked;
