/**
 * Runs in: operator.
 *
 * <p>The program's command line: {@code run}, {@code explain}, {@code simulate}, one class each,
 * with the exit codes that scripts rely on. It decides nothing about addresses: {@link
 * io.tidemark.engine} puts the engine together, {@link io.tidemark.operator.report} says what came
 * of it.
 *
 * <p>Read {@link io.tidemark.operator.Main} first.
 */
@NullMarked
package io.tidemark.operator;

import org.jspecify.annotations.NullMarked;
