/**
 * Runs in: agent.
 *
 * <p>Addresses of pools that consist of many CIDR blocks, which come and go while pods run: mode
 * {@code multi-pool}. The operator offers blocks in the node's object; the agent takes them up,
 * hands out addresses of the fullest first, and gives back those that it does not need.
 *
 * <p>{@code CidrStates} decides about the blocks of one pool and family, without side effects; a
 * {@code RangeAllocator} has their addresses; {@code MultiPool} passes each version of the object
 * to both and says what is to be written in it.
 *
 * <p>Read {@link io.tidemark.agent.multipool.MultiPool} first.
 */
@NullMarked
package io.tidemark.agent.multipool;

import org.jspecify.annotations.NullMarked;
