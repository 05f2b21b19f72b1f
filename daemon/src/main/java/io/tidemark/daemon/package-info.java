/**
 * Runs in: agent.
 *
 * <p>The program of a node. Its command {@code agent} gives pods their addresses: {@code cni}
 * answers the requests of a CNI plugin, {@code socket} brings them, and what is decided about
 * addresses stands in the library {@code agent}.
 *
 * <p>Read {@link io.tidemark.daemon.AgentCommand} first.
 */
@NullMarked
package io.tidemark.daemon;

import org.jspecify.annotations.NullMarked;
