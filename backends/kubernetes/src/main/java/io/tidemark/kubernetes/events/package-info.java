/**
 * Runs in: operator.
 *
 * <p>Problems that need human action, as Kubernetes Events: {@code EventBook} decides what to send
 * and when, {@code EventRequests} sends it, one request after the other.
 *
 * <p>Read {@link io.tidemark.kubernetes.events.ClusterEvents} first.
 */
@NullMarked
package io.tidemark.kubernetes.events;

import org.jspecify.annotations.NullMarked;
