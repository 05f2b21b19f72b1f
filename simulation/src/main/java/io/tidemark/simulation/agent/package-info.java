/**
 * Runs in: anywhere.
 *
 * <p>The agents of a simulated cluster: they give addresses to pods, publish what is used, and
 * answer the operator as node-manager 4.8 and 4.9 say, with check and mark in one step. What they
 * believe is the truth of who holds which address.
 *
 * <p>Read {@link io.tidemark.simulation.agent.SimulatedAgent} first.
 */
@NullMarked
package io.tidemark.simulation.agent;

import org.jspecify.annotations.NullMarked;
