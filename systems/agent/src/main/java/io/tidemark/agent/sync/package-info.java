/**
 * Runs in: agent.
 *
 * <p>How the agent follows the object of its node and brings it up to date: {@code NodeSync}
 * watches it and writes at most once per interval. What a mode of the agent reads and writes there
 * is its {@code NodePart}.
 *
 * <p>Read {@link io.tidemark.agent.sync.NodeSync} first.
 */
@NullMarked
package io.tidemark.agent.sync;

import org.jspecify.annotations.NullMarked;
