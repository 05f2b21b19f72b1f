/**
 * Runs in: tests of the lease, in virtual time. Read {@link io.tidemark.cluster.lease.LeaseWorld}
 * first.
 */
@NullMarked
package io.tidemark.cluster.lease;

import org.jspecify.annotations.NullMarked;
