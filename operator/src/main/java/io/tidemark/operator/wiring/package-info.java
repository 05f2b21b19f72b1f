/**
 * Runs in: operator.
 *
 * <p>Puts the engine together: clocks, threads, cloud door, provider, store, node manager; starts
 * them in order and ends them within a bound.
 *
 * <p>Read {@link io.tidemark.operator.wiring.Engine} first.
 */
@NullMarked
package io.tidemark.operator.wiring;

import org.jspecify.annotations.NullMarked;
