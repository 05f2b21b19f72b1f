/** Runs in: tests of the cluster as a backend, with a mock API server. */
@NullMarked
package io.tidemark.kubernetes.backend;

import org.jspecify.annotations.NullMarked;
