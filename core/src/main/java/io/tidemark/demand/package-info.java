/**
 * Spare addresses that follow demand: how many pods arrive on a node while it waits for its next
 * addresses, learned from the pods that came before. Used by the operator for its nodes and by
 * {@code ipamd} for its own.
 *
 * <p>Entrance: {@link io.tidemark.demand.DemandWatermarks}.
 */
@NullMarked
package io.tidemark.demand;

import org.jspecify.annotations.NullMarked;
