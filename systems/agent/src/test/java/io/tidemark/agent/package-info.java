/**
 * Runs in: the build alone.
 *
 * <p>Tables of the agent's behaviours on {@code TestNode}, and random operations against {@code
 * PoolModel}.
 */
@NullMarked
package io.tidemark.agent;

import org.jspecify.annotations.NullMarked;
