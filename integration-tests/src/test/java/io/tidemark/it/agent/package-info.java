/**
 * Runs in: anywhere.
 *
 * <p>The agent of a node as a program of its own, and what it and its allocators cost.
 *
 * <p>Read {@link io.tidemark.it.agent.AgentFigures} first.
 */
@NullMarked
package io.tidemark.it.agent;

import org.jspecify.annotations.NullMarked;
