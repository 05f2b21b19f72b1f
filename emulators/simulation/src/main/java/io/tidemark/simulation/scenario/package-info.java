/**
 * Runs in: anywhere.
 *
 * <p>What a simulated cluster is made of and what happens to it, as immutable values: read from
 * YAML, or drawn from a seed.
 *
 * <p>Read {@link io.tidemark.simulation.scenario.Scenario} first.
 */
@NullMarked
package io.tidemark.simulation.scenario;

import org.jspecify.annotations.NullMarked;
