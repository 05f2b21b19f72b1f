package io.tidemark.datastore;

/**
 * The counters of a store since it was made.
 *
 * @param noAddress requests that got no address because there was none
 * @param forceRemovedEnis interfaces that were removed although pods used their addresses
 * @param forceRemovedAddresses addresses that were removed although a pod used them
 * @param cutShort addresses that were assigned before their cooldown was over
 */
public record StoreCounters(
    long noAddress, long forceRemovedEnis, long forceRemovedAddresses, long cutShort) {}
