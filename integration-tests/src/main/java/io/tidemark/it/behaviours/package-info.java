/**
 * Runs in: anywhere.
 *
 * <p>The comparison of docs/internals/behaviours.txt with the test reports and the benchmarks, as
 * {@code .ci/behaviours} runs it. Read first: {@link io.tidemark.it.behaviours.Behaviours}.
 */
@NullMarked
package io.tidemark.it.behaviours;

import org.jspecify.annotations.NullMarked;
