/**
 * Runs in: anywhere.
 *
 * <p>Settings: where values come from, how they are read, and every problem reported together.
 *
 * <p>Read {@link io.tidemark.config.ConfigSource} first.
 */
@NullMarked
package io.tidemark.config;

import org.jspecify.annotations.NullMarked;
