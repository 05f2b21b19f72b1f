/**
 * Runs in: anywhere.
 *
 * <p>The operations of the AWS VPC CNI's {@code datastore.DataStore}, by their names, on a {@code
 * DataStore}: those of version 1.7 and those of version 1.23.
 *
 * <p>It is the documented API for programs that were written against that store, which embed it; no
 * program here calls it. Each end is a value:
 *
 * <pre>{@code
 * LegacyDataStore store =
 *     new LegacyDataStore(
 *         time, effects, backingStore, MigrationPhase.FILE, SandboxSource.NONE);
 * Optional<StoreRefusal> added = store.addEni("eni-1", 0, true, false);
 * if (added.isEmpty()) {
 *   added = store.addIpv4AddressToStore("eni-1", "10.0.0.5");
 * }
 * IpamKey sandbox = new IpamKey("aws-cni", "container-1", "eth0");
 * CompletionStage<String> address =
 *     store
 *         .readBackingStore()
 *         .thenCompose(
 *             failure ->
 *                 failure.isEmpty()
 *                     ? store.assignPodIpv4Address(sandbox)
 *                     : CompletableFuture.completedStage(
 *                         new AssignOutcome.Refused(failure.get())))
 *         .thenApply(
 *             end ->
 *                 end instanceof AssignOutcome.Granted granted
 *                     ? granted.assignment().address().toString()
 *                     : end.toString());
 * // The sandbox is deleted:
 * CompletionStage<StoreReleaseOutcome> released =
 *     address.thenCompose(ip -> store.unassignPodIpv4Address(sandbox));
 * }</pre>
 *
 * <p>What has another name here: errors are {@code StoreRefusal}s, whose text is theirs; what a pod
 * gets is an {@code AssignOutcome}, what it had a {@code StoreReleaseOutcome}; {@code NewJSONFile}
 * is a {@code CheckpointFile}. An operation that writes ends when that is durable, and does not
 * block.
 *
 * <p>Looks wrong, is right: an address is refused on a second interface too, and a released one
 * cools over a restart.
 *
 * <p>Read {@link io.tidemark.datastore.legacy.LegacyDataStore} first.
 */
@NullMarked
package io.tidemark.datastore.legacy;

import org.jspecify.annotations.NullMarked;
