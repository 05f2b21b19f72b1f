/**
 * Runs in: operator, agent.
 *
 * <p>What a person sees: lines, tables, a table that is redrawn in place, log lines that do not
 * spoil it.
 *
 * <p>Read {@link io.tidemark.program.console.Console} first.
 */
@NullMarked
package io.tidemark.program.console;

import org.jspecify.annotations.NullMarked;
