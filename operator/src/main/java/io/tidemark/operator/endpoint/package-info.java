/**
 * Runs in: operator.
 *
 * <p>What other programs ask a running operator over HTTP: metrics, health, readiness.
 *
 * <p>Read {@link io.tidemark.operator.endpoint.Endpoints} first.
 */
@NullMarked
package io.tidemark.operator.endpoint;

import org.jspecify.annotations.NullMarked;
