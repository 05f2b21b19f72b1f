/**
 * Runs in: agent.
 *
 * <p>Pools whose blocks belong to network interfaces of EC2 or Azure: delegated prefixes and single
 * addresses, taken from the interfaces in the status of the node's object instead of {@code
 * spec.ipam.pools.allocated}. The program uses it in modes {@code eni} and {@code azure} with
 * {@code interface-allocator} {@code multi-pool}; without, those modes are in {@code crd}.
 *
 * <p>Read {@link io.tidemark.agent.eni.InterfaceRanges} first.
 */
@NullMarked
package io.tidemark.agent.eni;

import org.jspecify.annotations.NullMarked;
