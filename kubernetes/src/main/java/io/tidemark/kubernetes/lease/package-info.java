/**
 * Runs in: operator.
 *
 * <p>The lease of the leader: who holds it is decided in {@code LeaseRules} over what was seen and
 * when, {@code LeaderLease} asks and writes. Clocks of different machines are never compared.
 *
 * <p>Read {@link io.tidemark.kubernetes.lease.LeaderLease} first.
 */
@NullMarked
package io.tidemark.kubernetes.lease;

import org.jspecify.annotations.NullMarked;
