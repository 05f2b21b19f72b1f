/**
 * Runs in: operator, agent.
 *
 * <p>The HTTP client under the Kubernetes client library: it notices connections that have died
 * without a word.
 *
 * <p>Read {@link io.tidemark.kubernetes.http.LiveConnections} first.
 */
@NullMarked
package io.tidemark.kubernetes.http;

import org.jspecify.annotations.NullMarked;
