/**
 * Runs in: operator.
 *
 * <p>The pod CIDRs of the nodes of a cluster: each node gets one block of pod addresses per family
 * out of the cluster's ranges. The package {@code ledger} decides which, {@code controller} watches
 * nodes and writes to them; {@code cloud} follows the ranges that a cloud routes to instances,
 * {@code pool} shows CiliumNodes as such nodes, {@code config} reads the ranges from settings, and
 * {@code plan} reports how many nodes they serve. {@code CidrAllocator} has the verbs of the
 * Kubernetes controller manager, for programs that read and write the nodes themselves.
 *
 * <p>Without threads, sockets and stores: who embeds it brings them.
 *
 * <p>Read {@link io.tidemark.nodecidr.controller.NodeCidrController} first.
 */
@NullMarked
package io.tidemark.nodecidr;

import org.jspecify.annotations.NullMarked;
