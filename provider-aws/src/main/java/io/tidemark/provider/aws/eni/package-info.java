/**
 * Runs in: operator.
 *
 * <p>Pod addresses on EC2 network interfaces: what is known ({@code EniAccount} and its inventory),
 * what to do next (pure: {@code SlotModel}, {@code AllocationPlanner}, {@code SubnetSelector},
 * {@code PrefixDelegation}, {@code Surplus}), and the sagas that do it ({@code EniCreation}, {@code
 * AddressAssignment}).
 *
 * <p>Read {@link io.tidemark.provider.aws.eni.EniAllocation} first.
 */
@NullMarked
package io.tidemark.provider.aws.eni;

import org.jspecify.annotations.NullMarked;
