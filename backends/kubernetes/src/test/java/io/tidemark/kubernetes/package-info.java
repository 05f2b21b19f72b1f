/**
 * Runs in: tests of the module, those without an API server. Read {@link
 * io.tidemark.kubernetes.ClusterConnectionTest} first.
 */
@NullMarked
package io.tidemark.kubernetes;

import org.jspecify.annotations.NullMarked;
