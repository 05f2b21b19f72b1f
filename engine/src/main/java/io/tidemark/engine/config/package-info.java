/**
 * Runs in: operator.
 *
 * <p>The settings of the engine: each key with its form, bounds, default and meaning, and the typed
 * values that are read from them.
 *
 * <p>Read {@link io.tidemark.engine.config.EngineConfig} first.
 */
@NullMarked
package io.tidemark.engine.config;

import org.jspecify.annotations.NullMarked;
