/**
 * Runs in: operator.
 *
 * <p>What commands, {@code /status} and the page show, as values, as JSON for programs and as
 * tables for people.
 *
 * <p>Read {@link io.tidemark.operator.report.RunReport} first.
 */
@NullMarked
package io.tidemark.operator.report;

import org.jspecify.annotations.NullMarked;
