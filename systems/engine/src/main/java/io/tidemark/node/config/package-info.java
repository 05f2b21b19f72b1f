/**
 * Runs in: operator.
 *
 * <p>The settings of the engine: each key with its form, bounds, default and meaning, and the typed
 * values that are read from them.
 *
 * <p>Read {@link io.tidemark.node.config.EngineConfig} first.
 */
@NullMarked
package io.tidemark.node.config;

import org.jspecify.annotations.NullMarked;
