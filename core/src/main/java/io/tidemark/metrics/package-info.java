/**
 * Runs in: anywhere.
 *
 * <p>The table of all metrics, and the meters of a program in the Micrometer registry that it
 * chooses. Each meter is counted by the class that it measures. Meaning for people:
 * docs/metrics.md.
 *
 * <p>Read {@link io.tidemark.metrics.Meters} first.
 */
@NullMarked
package io.tidemark.metrics;

import org.jspecify.annotations.NullMarked;
