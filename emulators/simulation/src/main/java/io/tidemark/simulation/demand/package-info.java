/**
 * Runs in: anywhere.
 *
 * <p>Static watermarks against those that follow demand, over the same pods: a light model of 500
 * nodes, their agents and a cloud's request buckets, which simulates a day in less than a second,
 * so that the best static number can be searched for. The decisions are those of {@link
 * io.tidemark.demand}.
 *
 * <p>Entrance: {@link io.tidemark.simulation.demand.DemandTrial}.
 */
@NullMarked
package io.tidemark.simulation.demand;

import org.jspecify.annotations.NullMarked;
