/**
 * Runs in: anywhere.
 *
 * <p>The agents of a simulated cluster: they give addresses to pods, publish what is used, and
 * answer the operator's release marks (node-manager 4.8, 4.9). An {@code AgentProcess} is the
 * library of the product, in one of the modes of {@code AgentMode}. What the agents believe is the
 * truth of who holds which address.
 *
 * <p>Read {@link io.tidemark.simulation.agent.SimulatedAgent} first.
 */
@NullMarked
package io.tidemark.simulation.agent;

import org.jspecify.annotations.NullMarked;
