/**
 * Runs in: agent.
 *
 * <p>The node's own half of the address management: which pod has which address. {@code Ipam} is
 * the entrance: synchronous, without threads, sockets or files. Behind it each pool has, per
 * family, a {@code Shard}: who holds which address, under one lock. An {@code Allocator} knows
 * which addresses a shard has; {@code hostscope} has the one of a node with a CIDR of its own,
 * {@code multipool} that of pools of many blocks, which {@code eni} takes from interfaces. {@code
 * delegated} the one of a node without addresses. {@code restore} is for the start, {@code legacy}
 * for programs that know the operations of Cilium 1.6.
 *
 * <p>Looks wrong, is right: every expected ending is a value, a {@code Denial} with a published
 * code; nothing here throws because an address is taken.
 *
 * <p>Read {@link io.tidemark.agent.Ipam} first.
 */
@NullMarked
package io.tidemark.agent;

import org.jspecify.annotations.NullMarked;
