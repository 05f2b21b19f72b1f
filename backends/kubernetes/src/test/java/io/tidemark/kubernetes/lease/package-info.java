/** Runs in: tests of the lease in the Kubernetes API, without a server. */
@NullMarked
package io.tidemark.kubernetes.lease;

import org.jspecify.annotations.NullMarked;
