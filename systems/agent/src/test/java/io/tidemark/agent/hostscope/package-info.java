/**
 * Runs in: the build alone.
 *
 * <p>Tables of the addresses that a block hands out.
 */
@NullMarked
package io.tidemark.agent.hostscope;

import org.jspecify.annotations.NullMarked;
