/**
 * Runs in: ipamd.
 *
 * <p>Keeps what a node has of the cloud at its targets: asks for interfaces and addresses, gives
 * back what is not needed, and compares the store with what the cloud has. {@code PoolReconciler}
 * is the entry point. {@code PoolDecision} says what to ask next, {@code PoolGrowth} and {@code
 * PoolShrink} do it; {@code CloudComparison} says what the store and an answer of the cloud say
 * differently, and {@code ReadLagHistory} which answers can be trusted about what. The cloud itself
 * is behind {@code InterfaceCloud}.
 *
 * <p>Looks wrong, is right: an address that a pod has and the cloud no longer shows stays in the
 * store until a second answer says the same. What got no clear answer when it was given back is
 * neither assigned nor forgotten for half a minute, until a read that cannot lag behind shows it.
 *
 * <p>Read {@link io.tidemark.datastore.cloud.PoolReconciler} first.
 */
@NullMarked
package io.tidemark.datastore.cloud;

import org.jspecify.annotations.NullMarked;
