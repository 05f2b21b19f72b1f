/**
 * Runs in: operator.
 *
 * <p>What a person must mend, as Kubernetes Events: what to send when is decided in {@code
 * EventBook}, sent by {@code EventRequests}, one after the other.
 *
 * <p>Read {@link io.tidemark.kubernetes.events.ClusterEvents} first.
 */
@NullMarked
package io.tidemark.kubernetes.events;

import org.jspecify.annotations.NullMarked;
