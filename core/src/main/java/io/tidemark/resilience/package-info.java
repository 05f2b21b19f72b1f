/**
 * Runs in: operator and ipamd.
 *
 * <p>The only door to a cloud. Every remote request passes one visible order: deadline, retry,
 * circuit breaker, token, attempt timeout, metrics (docs/architecture.md). What an error means is
 * the provider's {@link io.tidemark.resilience.FailureClassifier}; what we do about it is decided
 * here.
 *
 * <p>Read {@link io.tidemark.resilience.CloudCalls} first.
 */
@NullMarked
package io.tidemark.resilience;

import org.jspecify.annotations.NullMarked;
