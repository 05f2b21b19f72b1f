/**
 * Runs in: anywhere.
 *
 * <p>Addresses without a central allocator: each node owns a small number, its id, and all its
 * subnets follow from it by arithmetic. {@code NodeIdRanges} says from which ranges, {@code
 * NodeIdSubnets} computes, {@code SubnetPlan} is what comes out for one id.
 *
 * <p>Pure: no thread, no socket, no store, no clock. {@code nodeid.local} hands out the addresses
 * of a node's pod subnet.
 *
 * <p>Looks wrong, is right: the lowest subnet of a range belongs to no node. The reference gives it
 * to the highest id, which then has no address in the ranges of addresses; {@code
 * ipam-profile=reference} does so too.
 *
 * <p>Read {@link io.tidemark.nodeid.NodeIdSubnets} first.
 */
@NullMarked
package io.tidemark.nodeid;

import org.jspecify.annotations.NullMarked;
