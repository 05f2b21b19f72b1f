/**
 * Runs in: operator.
 *
 * <p>What every cloud of interfaces decides alike, for the author of a provider. Nothing in the SPI
 * asks for its use; each part can be taken alone. A cloud needs no device indexes, no blocks and no
 * way to create interfaces to use it. In this order:
 *
 * <ol>
 *   <li>Describe an attached interface: implement {@link io.tidemark.provider.kit.CachedInterface}.
 *   <li>Keep what is known in an {@link io.tidemark.provider.kit.InstanceInventory}: the last
 *       reads, corrected by own writes. Fill it by an {@link
 *       io.tidemark.provider.kit.InstanceSource} behind a {@link io.tidemark.provider.kit.Batcher},
 *       judged by {@link io.tidemark.provider.kit.ReadVerdict}; {@link
 *       io.tidemark.provider.kit.ListingAllocation} does so for a cloud with two listings.
 *   <li>Keep the pools in a {@link io.tidemark.provider.kit.pool.PoolLedger}.
 *   <li>Say what an instance can carry by a {@link io.tidemark.provider.kit.plan.SlotModel}, and
 *       what the cloud prefers by {@link io.tidemark.provider.kit.plan.AllocationPlanner.Rules};
 *       plan with {@link io.tidemark.provider.kit.plan.AllocationPlanner} and {@link
 *       io.tidemark.provider.kit.ReleasePlanner}.
 *   <li>Carry plans out with {@link io.tidemark.provider.kit.step.AddressAssignment}, {@link
 *       io.tidemark.provider.kit.AddressRelease} and, where interfaces can be created, {@link
 *       io.tidemark.provider.kit.step.InterfaceCreation} and {@link
 *       io.tidemark.provider.kit.GarbageCollection}.
 *   <li>Offer all of it to the engine by an {@link io.tidemark.provider.kit.InterfaceNode}.
 * </ol>
 */
@NullMarked
package io.tidemark.provider.kit;

import org.jspecify.annotations.NullMarked;
