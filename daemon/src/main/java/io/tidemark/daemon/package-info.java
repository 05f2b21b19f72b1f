/**
 * Runs in: agent.
 *
 * <p>The program of a node. Its command {@code agent} gives pods their addresses: {@code socket}
 * accepts connections, {@code cni} answers the requests of a CNI plugin, {@code machine} knows the
 * instance and its interfaces, and the library {@code agent} allocates.
 *
 * <p>Read {@link io.tidemark.daemon.AgentCommand} first.
 */
@NullMarked
package io.tidemark.daemon;

import org.jspecify.annotations.NullMarked;
