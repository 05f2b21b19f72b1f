/**
 * Runs in: anywhere.
 *
 * <p>Simulated clusters in volume, one per seed.
 *
 * <p>Read {@link io.tidemark.it.simulation.SimulationSeedsTest} first.
 */
@NullMarked
package io.tidemark.it.simulation;

import org.jspecify.annotations.NullMarked;
