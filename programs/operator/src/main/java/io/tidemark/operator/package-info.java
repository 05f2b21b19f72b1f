/**
 * Runs in: operator.
 *
 * <p>The program's command line: {@code run}, {@code status}, {@code explain}, {@code config},
 * {@code doctor}, {@code simulate} and {@code node-cidr}, one class each, with the exit codes that
 * scripts rely on; {@code node-id} and {@code kubectl} are packages of their own. It decides
 * nothing about addresses: {@link io.tidemark.engine} puts the engine together, {@link
 * io.tidemark.operator.report} says what came of it.
 *
 * <p>Read {@link io.tidemark.operator.Main} first.
 */
@NullMarked
package io.tidemark.operator;

import org.jspecify.annotations.NullMarked;
