/**
 * Runs in: operator.
 *
 * <p>The lease of the leader as an object of the Kubernetes API; {@link io.tidemark.cluster.lease}
 * decides who holds it.
 *
 * <p>Read {@link io.tidemark.kubernetes.lease.LeaseSettings} first.
 */
@NullMarked
package io.tidemark.kubernetes.lease;

import org.jspecify.annotations.NullMarked;
