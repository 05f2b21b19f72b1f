/**
 * Runs in: anywhere.
 *
 * <p>The agents of a simulated cluster: they give addresses to pods, publish what is used, and
 * answer the operator's release marks (node-manager 4.8, 4.9). {@code SourceRun} is a process of
 * the model that was written for the simulation, {@code ProductRun} one of the real library. What
 * the agents believe is the truth of who holds which address.
 *
 * <p>Read {@link io.tidemark.simulation.agent.SimulatedAgent} first.
 */
@NullMarked
package io.tidemark.simulation.agent;

import org.jspecify.annotations.NullMarked;
