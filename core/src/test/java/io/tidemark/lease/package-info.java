/**
 * Runs in: tests of the lease, in virtual time. Read {@link io.tidemark.lease.LeaseWorld} first.
 */
@NullMarked
package io.tidemark.lease;

import org.jspecify.annotations.NullMarked;
