/**
 * Runs in: operator, agent.
 *
 * <p>The API server behind the ports {@link io.tidemark.resource.NodeResourceStore}, {@link
 * io.tidemark.cluster.ClusterNodeStore} and {@link io.tidemark.cluster.ClaimStore}: for each kind
 * one informer that reads, raw requests that write, and what is known of each object. An operator
 * has all objects, the program of a node one.
 *
 * <p>Read {@link io.tidemark.kubernetes.store.KubernetesNodeResourceStore} first.
 */
@NullMarked
package io.tidemark.kubernetes.store;

import org.jspecify.annotations.NullMarked;
