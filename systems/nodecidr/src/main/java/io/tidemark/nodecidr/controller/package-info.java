/**
 * Runs in: operator.
 *
 * <p>Gives the nodes of a cluster their pod CIDRs: reads all nodes, takes note of the CIDRs that
 * they have, and writes blocks to those without any. {@code CidrLedger} knows who has which block;
 * {@code CidrSteps} decides the next step of each node, {@code CidrRequests} turns it into a
 * request, and a {@code KeyedReconciler} carries it out: all work for the node of one name on one
 * queue.
 *
 * <p>Looks wrong, is right: a write without a result is sent again with the same blocks until its
 * result is known, whatever the watch shows meanwhile; and a node that a list lacks keeps its
 * blocks until a read by its name has confirmed that it is gone.
 *
 * <p>Read {@link io.tidemark.nodecidr.controller.NodeCidrController} first.
 */
@NullMarked
package io.tidemark.nodecidr.controller;

import org.jspecify.annotations.NullMarked;
