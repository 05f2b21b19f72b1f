package io.tidemark.node;

/**
 * What a plan may contain at this moment beside what pods wait for.
 *
 * @param droppedCidrs what a multi-pool agent dropped may be given back
 * @param staticAddress a public address may be asked for
 */
record Allowed(boolean droppedCidrs, boolean staticAddress) {}
