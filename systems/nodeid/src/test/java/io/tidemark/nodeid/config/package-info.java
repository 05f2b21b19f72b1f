/**
 * Runs in: the build alone.
 *
 * <p>The settings of node ids: each form, each refusal.
 */
@NullMarked
package io.tidemark.nodeid.config;

import org.jspecify.annotations.NullMarked;
