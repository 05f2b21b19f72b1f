/**
 * Runs in: anywhere.
 *
 * <p>The settings of node ids, by our names, by those of Contiv, and in a {@code contiv.conf}.
 *
 * <p>Read {@link io.tidemark.nodeid.config.NodeIdConfig} first.
 */
@NullMarked
package io.tidemark.nodeid.config;

import org.jspecify.annotations.NullMarked;
