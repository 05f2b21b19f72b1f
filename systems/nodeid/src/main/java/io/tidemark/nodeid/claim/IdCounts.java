package io.tidemark.nodeid.claim;

/**
 * How many ids are in which state.
 *
 * @param claimed held by a node that is there
 * @param cooling held by a node that is gone, or by one that keeps another id
 * @param never never claimed, as far as this process knows
 * @param free claimed once, and free now
 */
public record IdCounts(long claimed, long cooling, long never, long free) {}
