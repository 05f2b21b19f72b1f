/**
 * Runs in: anywhere.
 *
 * <p>A whole cluster in virtual time on one thread: engine, store, agents, cloud, faults and the
 * invariants that must hold after every step.
 *
 * <p>Read {@link io.tidemark.simulation.ClusterSimulation} first.
 */
@NullMarked
package io.tidemark.simulation;

import org.jspecify.annotations.NullMarked;
