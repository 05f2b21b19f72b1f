/**
 * Runs in: tests that need a real API server. Read {@link io.tidemark.kubernetes.server.ApiServer}
 * first.
 */
@NullMarked
package io.tidemark.kubernetes.server;

import org.jspecify.annotations.NullMarked;
