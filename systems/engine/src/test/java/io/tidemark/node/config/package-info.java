/**
 * Runs in: the build alone.
 *
 * <p>One test per key of the engine. Read {@link io.tidemark.node.config.EngineConfigTest} first.
 */
@NullMarked
package io.tidemark.node.config;

import org.jspecify.annotations.NullMarked;
