/**
 * Runs in: operator.
 *
 * <p>The pod CIDRs of the nodes of a cluster: each node gets one block of pod addresses per family
 * out of the cluster's ranges. The package {@code ledger} decides which; {@code config} reads the
 * ranges from settings, and {@code plan} says what they are good for. {@code CidrAllocator} is the
 * allocator of the Kubernetes controller manager on the same ground.
 *
 * <p>Without threads, sockets and stores: who embeds it reads and writes the nodes.
 *
 * <p>Read {@link io.tidemark.nodecidr.CidrAllocator} first.
 */
@NullMarked
package io.tidemark.nodecidr;

import org.jspecify.annotations.NullMarked;
