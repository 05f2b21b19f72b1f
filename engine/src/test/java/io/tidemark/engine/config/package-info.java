/**
 * Runs in: the build alone.
 *
 * <p>One test per key of the engine. Read {@link io.tidemark.engine.config.EngineConfigTest} first.
 */
@NullMarked
package io.tidemark.engine.config;

import org.jspecify.annotations.NullMarked;
