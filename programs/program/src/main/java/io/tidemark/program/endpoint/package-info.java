/**
 * Runs in: operator, agent.
 *
 * <p>What other programs ask a running program over HTTP: metrics, health, readiness.
 *
 * <p>Read {@link io.tidemark.program.endpoint.Endpoints} first.
 */
@NullMarked
package io.tidemark.program.endpoint;

import org.jspecify.annotations.NullMarked;
