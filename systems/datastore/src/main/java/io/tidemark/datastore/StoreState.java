package io.tidemark.datastore;

import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The memory of a store. Its monitor guards all of it, is held for computations alone, and no other
 * lock is taken under it.
 */
final class StoreState {
  /** The runtime asks more often for a pod that has no address. */
  private static final long WAITS_NANOS = Duration.ofMinutes(1).toNanos();

  private static final int WAITING_MAX = 256;

  final StorePool pool;

  final List<Orphan> orphans = new ArrayList<>();

  /** Pods that found no address and when they asked last, the earliest first. */
  final Map<IpamMetadata, Long> waiting = new LinkedHashMap<>();

  long noAddress;
  long forceRemovedEnis;
  long forceRemovedAddresses;
  long cutShort;

  boolean growable = true;

  /** How many addresses began to cool at the start, without a record of their release. */
  int unrecorded;

  /** When their time is over, in monotonic time. */
  long unrecordedUntil;

  /** Where the store counts what it does; its monitor does not guard this. */
  volatile StoreMeters meters = StoreMeters.NONE;

  StoreState(StorePool pool) {
    this.pool = pool;
  }

  void foundNone(IpamMetadata pod, long now) {
    noAddress++;
    waiting.remove(pod);
    waiting.put(pod, now);
    if (waiting.size() > WAITING_MAX) {
      waiting.remove(waiting.keySet().iterator().next());
    }
  }

  int waiting(long now) {
    waiting.values().removeIf(asked -> now - asked >= WAITS_NANOS);
    return waiting.size();
  }

  StoreCounters counters() {
    return new StoreCounters(noAddress, forceRemovedEnis, forceRemovedAddresses, cutShort);
  }

  /**
   * The assignment of the sandbox of an orphan. Of an address that was not seen since the start the
   * interface is not known: its routing table is 0, by which the plugin removes rules of all
   * tables. Empty when another sandbox has the address, whose rules must stay.
   */
  Optional<Assignment> had(Orphan orphan) {
    return orphan
        .last()
        .or(
            () ->
                orphan
                    .address()
                    .filter(address -> !isOfAnother(address, orphan.entry().key()))
                    .map(address -> new Assignment(address, "", 0, 0, Cidr.single(address))));
  }

  /** The same on an interface of the node; empty when it is not known on which. */
  Optional<Assignment> place(Orphan orphan) {
    Optional<StoreEniSpec> only = pool.blocks.onlyEni();
    return orphan
        .last()
        .or(
            () ->
                had(orphan)
                    .flatMap(
                        had ->
                            only.map(
                                eni ->
                                    new Assignment(
                                        had.address(),
                                        eni.id(),
                                        eni.deviceNumber(),
                                        eni.routeTableId(),
                                        had.cidr()))));
  }

  private boolean isOfAnother(IpAddress address, IpamKey key) {
    AddressSlot slot = pool.slot(address);
    return (slot != null && slot.entry != null && !slot.key().equals(key))
        || orphans.stream()
            .anyMatch(
                each ->
                    each.address().filter(address::equals).isPresent()
                        && !each.entry().key().equals(key));
  }
}
