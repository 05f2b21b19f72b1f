/**
 * Runs in: tests of the lease, in virtual time. Read {@link
 * io.tidemark.kubernetes.lease.LeaseWorld} first.
 */
@NullMarked
package io.tidemark.kubernetes.lease;

import org.jspecify.annotations.NullMarked;
