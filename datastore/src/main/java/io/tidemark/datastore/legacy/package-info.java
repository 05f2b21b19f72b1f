/**
 * Runs in: anywhere.
 *
 * <p>The operations of the AWS VPC CNI's {@code datastore.DataStore}, by their names, on a {@code
 * DataStore}: those of version 1.7 and those of version 1.23.
 *
 * <p>What has another name here: errors are {@code StoreRefusal}s, whose text is theirs; what a pod
 * gets is an {@code AssignOutcome}, what it had a {@code ReleaseOutcome}; {@code NewJSONFile} is a
 * {@code CheckpointFile}. An operation that writes ends when that is durable, and does not block.
 *
 * <p>Looks wrong, is right: an address is refused on a second interface too, and a released one
 * cools over a restart.
 *
 * <p>Read {@link io.tidemark.datastore.legacy.LegacyDataStore} first.
 */
@NullMarked
package io.tidemark.datastore.legacy;

import org.jspecify.annotations.NullMarked;
