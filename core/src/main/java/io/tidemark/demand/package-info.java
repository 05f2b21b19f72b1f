/**
 * Runs in: anywhere.
 *
 * <p>Spare addresses that follow demand: how many pods arrive on a node while it waits for its next
 * addresses, learned from the pods that came before; how long a subnet lasts.
 *
 * <p>Entrance: {@link io.tidemark.demand.NodeSpare}, {@link io.tidemark.demand.SubnetForecast}.
 */
@NullMarked
package io.tidemark.demand;

import org.jspecify.annotations.NullMarked;
