/**
 * Runs in: anywhere.
 *
 * <p>Benchmarks; {@code .ci/benchmarks} runs them and prints their tables.
 *
 * <p>Read {@link io.tidemark.it.benchmark.NodeResourceJsonBenchmark} first, which is the smallest.
 */
@NullMarked
package io.tidemark.it.benchmark;

import org.jspecify.annotations.NullMarked;
