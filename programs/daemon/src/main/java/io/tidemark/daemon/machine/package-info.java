/**
 * Runs in: agent.
 *
 * <p>The machine that the agent runs on: which instance of the cloud it is, and which network
 * interfaces it has. An object of an earlier instance, and addresses of an interface that is not
 * here, are not used.
 *
 * <p>Read {@link io.tidemark.daemon.machine.Machine} first.
 */
@NullMarked
package io.tidemark.daemon.machine;

import org.jspecify.annotations.NullMarked;
