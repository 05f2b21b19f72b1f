/**
 * Runs in: the build alone.
 *
 * <p>The engine's model search of the release handshake with the agent's own half of it.
 *
 * <p>Read {@link io.tidemark.it.handshake.RealAgentModelTest} first.
 */
@NullMarked
package io.tidemark.it.handshake;

import org.jspecify.annotations.NullMarked;
