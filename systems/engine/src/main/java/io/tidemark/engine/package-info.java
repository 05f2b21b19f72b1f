/**
 * Runs in: operator.
 *
 * <p>The engine for any program: {@code Tidemark.builder()} takes provider, store and settings,
 * puts cloud door, provider and node manager together on threads of its own or given ones, starts
 * them in order and ends them within a bound. The operator uses it, too.
 *
 * <p>Read {@link io.tidemark.engine.Tidemark} first, then docs/embedding.md.
 */
@NullMarked
package io.tidemark.engine;

import org.jspecify.annotations.NullMarked;
