/**
 * Runs in: the build alone.
 *
 * <p>Tests of writes of the node's object.
 */
@NullMarked
package io.tidemark.agent.sync;

import org.jspecify.annotations.NullMarked;
