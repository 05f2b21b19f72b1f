/**
 * Runs in: agent.
 *
 * <p>Addresses of a CIDR that belongs to one node alone: the modes {@code kubernetes} and {@code
 * cluster-pool}.
 *
 * <p>Read {@link io.tidemark.agent.hostscope.HostRange} first.
 */
@NullMarked
package io.tidemark.agent.hostscope;

import org.jspecify.annotations.NullMarked;
