/**
 * Runs in: anywhere.
 *
 * <p>The cloud of a simulated cluster behind a door that any cloud with a provider can be plugged
 * into: what its owner does, what goes wrong in it, and the truth for the invariants. The mock
 * cloud is one.
 *
 * <p>Read {@link io.tidemark.simulation.cloud.SimulatedCloud} first.
 */
@NullMarked
package io.tidemark.simulation.cloud;

import org.jspecify.annotations.NullMarked;
