/**
 * Runs in: anywhere.
 *
 * <p>What is measured, as ports, and their Micrometer binding (Micrometer is an optional
 * dependency). Names, labels and meaning for people: docs/metrics.md.
 *
 * <p>Read {@link io.tidemark.metrics.IpamMetrics} first.
 */
@NullMarked
package io.tidemark.metrics;

import org.jspecify.annotations.NullMarked;
