package io.tidemark.datastore;

import java.time.Duration;
import java.util.Optional;

/**
 * The counters of a store since it was made.
 *
 * @param noAddress requests that got no address because there was none
 * @param forceRemovedEnis interfaces that were removed although pods used their addresses
 * @param forceRemovedAddresses addresses that were removed although a pod used them
 * @param cutShort addresses that were assigned before their cooldown was over
 */
public record StoreCounters(
    long noAddress, long forceRemovedEnis, long forceRemovedAddresses, long cutShort) {
  static final StoreCounters ZERO = new StoreCounters(0, 0, 0, 0);

  StoreCounters plusNoAddress() {
    return new StoreCounters(noAddress + 1, forceRemovedEnis, forceRemovedAddresses, cutShort);
  }

  StoreCounters plusForced(int enis, int addresses) {
    return new StoreCounters(
        noAddress, forceRemovedEnis + enis, forceRemovedAddresses + addresses, cutShort);
  }

  StoreCounters plusCutShort(Optional<Duration> cooledFor) {
    return new StoreCounters(
        noAddress,
        forceRemovedEnis,
        forceRemovedAddresses,
        cutShort + (cooledFor.isPresent() ? 1 : 0));
  }
}
