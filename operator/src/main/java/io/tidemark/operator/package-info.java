/**
 * Runs in: operator.
 *
 * <p>The program: command line, wiring and endpoints. It decides nothing about addresses.
 */
@NullMarked
package io.tidemark.operator;

import org.jspecify.annotations.NullMarked;
