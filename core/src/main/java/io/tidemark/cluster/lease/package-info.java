/**
 * Runs in: operator.
 *
 * <p>The lease of the leader: who holds it is decided in {@code LeaseRules} over what was seen and
 * when, {@code LeaderLease} asks and writes through a {@code LeasePort}. Clocks of different
 * machines are never compared. A leader leaves notes for the next one, texts by name, and can write
 * them at once.
 *
 * <p>Read {@link io.tidemark.cluster.lease.LeaderLease} first.
 */
@NullMarked
package io.tidemark.cluster.lease;

import org.jspecify.annotations.NullMarked;
