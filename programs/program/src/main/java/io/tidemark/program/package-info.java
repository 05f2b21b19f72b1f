/**
 * Runs in: operator, agent.
 *
 * <p>What every program of Tidemark needs: options of all commands, places of settings, log lines,
 * failures and exit codes. {@link io.tidemark.program.console} is its terminal, {@link
 * io.tidemark.program.endpoint} its HTTP endpoints. It knows no system of allocation.
 *
 * <p>Read {@link io.tidemark.program.CommonOptions} first.
 */
@NullMarked
package io.tidemark.program;

import org.jspecify.annotations.NullMarked;
