/**
 * Runs in: operator, agent.
 *
 * <p>The only module that uses the Kubernetes client library. This package has the connection and
 * its settings; {@code store} reads and writes objects, {@code lease} keeps the lease of the
 * leader, {@code demand} knows what pods ask for, {@code events} sends Events, and {@code gc}
 * deletes CiliumNodes whose Kubernetes Node is gone. {@code backend} puts them together. {@code
 * leader} and {@code migration} ask a cluster for commands.
 *
 * <p>Read {@link io.tidemark.kubernetes.backend.KubernetesBackend} to embed it, else {@link
 * io.tidemark.kubernetes.ClusterConnection} first.
 */
@NullMarked
package io.tidemark.kubernetes;

import org.jspecify.annotations.NullMarked;
