/**
 * Runs in: operator.
 *
 * <p>What a command tells at its end, as values, as JSON for programs and as tables for people.
 *
 * <p>Read {@link io.tidemark.operator.report.RunReport} first.
 */
@NullMarked
package io.tidemark.operator.report;

import org.jspecify.annotations.NullMarked;
