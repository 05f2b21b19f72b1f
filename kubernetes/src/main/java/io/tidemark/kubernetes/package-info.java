/**
 * Runs in: operator, agent.
 *
 * <p>The only door to the Kubernetes client library: the connection, and below it the store of node
 * resources ({@code store}), the lease of the one leader ({@code lease}), and what pods and nodes
 * of the cluster ask for ({@code demand}).
 *
 * <p>Read {@link io.tidemark.kubernetes.ClusterConnection} first.
 */
@NullMarked
package io.tidemark.kubernetes;

import org.jspecify.annotations.NullMarked;
