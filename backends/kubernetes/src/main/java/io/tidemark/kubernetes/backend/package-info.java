/**
 * Runs in: operator, agent.
 *
 * <p>A cluster as the backend of an engine: store, pods, kubelets, cordoned nodes, Events and the
 * lease, put together over one client by {@code ClusterBackend}. {@code Leadership} says when the
 * work may begin.
 *
 * <p>Read {@link io.tidemark.kubernetes.backend.KubernetesBackend} first.
 */
@NullMarked
package io.tidemark.kubernetes.backend;

import org.jspecify.annotations.NullMarked;
