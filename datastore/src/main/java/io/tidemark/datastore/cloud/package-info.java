/**
 * Runs in: agent.
 *
 * <p>Keeps what a node has of the cloud at its targets: asks for interfaces and addresses, gives
 * back what is not needed, and compares the store with what the cloud has.
 *
 * <p>Looks wrong, is right: an address that a pod has and the cloud no longer shows stays in the
 * store until the cloud has confirmed it.
 *
 * <p>Read {@link io.tidemark.datastore.cloud.InterfaceCloud} first.
 */
@NullMarked
package io.tidemark.datastore.cloud;

import org.jspecify.annotations.NullMarked;
