/**
 * Runs in: anywhere.
 *
 * <p>Suites that need more than one module, and the benchmarks.
 */
@NullMarked
package io.tidemark.it;

import org.jspecify.annotations.NullMarked;
