/**
 * Runs in: the build alone.
 *
 * <p>Requests in virtual time: {@code TestAgent} is an agent with its file in memory.
 */
@NullMarked
package io.tidemark.daemon.cni;

import org.jspecify.annotations.NullMarked;
