/**
 * Runs in: the build alone.
 *
 * <p>One test per key, the forms of values, and how problems are reported. Read {@link
 * io.tidemark.config.CoreConfigTest} first.
 */
@NullMarked
package io.tidemark.config;

import org.jspecify.annotations.NullMarked;
