/**
 * Runs in: operator.
 *
 * <p>A cluster as the backend of an engine: store, pods, kubelets, cordoned nodes, Events and the
 * lease, put together over one client. {@code TakeOver} reads all nodes anew after the lease was
 * won.
 *
 * <p>Read {@link io.tidemark.kubernetes.backend.KubernetesBackend} first.
 */
@NullMarked
package io.tidemark.kubernetes.backend;

import org.jspecify.annotations.NullMarked;
