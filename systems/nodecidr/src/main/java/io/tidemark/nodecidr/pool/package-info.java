/**
 * Runs in: operator.
 *
 * <p>The CIDRs of CiliumNodes, as the Cilium operator assigns them in its cluster-pool mode: the
 * objects as a store of nodes with CIDRs, and what an object says of its problems.
 *
 * <p>Read {@link io.tidemark.nodecidr.pool.CiliumNodeCidrs} first.
 */
@NullMarked
package io.tidemark.nodecidr.pool;

import org.jspecify.annotations.NullMarked;
