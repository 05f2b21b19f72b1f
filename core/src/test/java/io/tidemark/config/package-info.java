/**
 * Runs in: the build alone.
 *
 * <p>The forms of values, the places of settings, and how problems are reported. Read {@link
 * io.tidemark.config.ConfigReaderTest} first.
 */
@NullMarked
package io.tidemark.config;

import org.jspecify.annotations.NullMarked;
