/**
 * Runs in: the build alone.
 *
 * <p>Tests of pools of many blocks.
 */
@NullMarked
package io.tidemark.agent.multipool;

import org.jspecify.annotations.NullMarked;
