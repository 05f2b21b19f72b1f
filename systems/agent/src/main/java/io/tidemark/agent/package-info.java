/**
 * Runs in: agent.
 *
 * <p>The node's own half of the address management: which pod has which address. {@code Ipam} is
 * the entry point: synchronous, without threads, sockets or files. Behind it each pool has, per
 * family, a {@code Shard}: who holds which address, under one lock. An {@code Allocator} knows
 * which addresses a shard has: {@code hostscope} those of a CIDR of the node, {@code crd} those of
 * {@code spec.ipam.pool} (modes crd, eni and azure), {@code multipool} those of many blocks, which
 * {@code eni} takes from interfaces; {@code delegated} refuses every request. {@code sync} reads
 * and writes the node's object.
 *
 * <p>The program of a node uses all of them and {@code restore}; {@code legacy} is for programs
 * that embed the library.
 *
 * <p>Looks wrong, is right: every expected ending is a value, a {@code Denial} with a published
 * code; nothing here throws because an address is taken.
 *
 * <p>Read {@link io.tidemark.agent.Ipam} first.
 */
@NullMarked
package io.tidemark.agent;

import org.jspecify.annotations.NullMarked;
