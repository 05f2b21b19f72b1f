package io.tidemark.node;

import io.tidemark.resource.HandshakeState;
import io.tidemark.spi.BlockedReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Cluster sums kept by differences (node-manager 13 D-3): one node's change costs the same in any
 * cluster. Thread-safe; a reading during changes is between before and after.
 */
final class ClusterTotals {
  private final LongAdder used = new LongAdder();
  private final LongAdder free = new LongAdder();
  private final LongAdder needed = new LongAdder();
  private final LongAdder remaining = new LongAdder();
  private final LongAdder candidates = new LongAdder();
  private final LongAdder slots = new LongAdder();
  private final LongAdder nodes = new LongAdder();
  private final LongAdder inDeficit = new LongAdder();
  private final LongAdder atCapacity = new LongAdder();

  private final EnumMap<HandshakeState, LongAdder> handshakes = adders(HandshakeState.values());
  private final EnumMap<BlockedReason, LongAdder> stuck = adders(BlockedReason.values());

  private static <K extends Enum<K>> EnumMap<K, LongAdder> adders(K[] keys) {
    EnumMap<K, LongAdder> adders = new EnumMap<>(keys[0].getDeclaringClass());
    for (K key : keys) {
      adders.put(key, new LongAdder());
    }
    return adders;
  }

  void nodeAdded(Standing now) {
    nodes.increment();
    add(now, 1);
  }

  void nodeChanged(Standing before, Standing now) {
    add(before, -1);
    add(now, 1);
  }

  void nodeRemoved(Standing before) {
    nodes.decrement();
    add(before, -1);
  }

  /** Addresses of all nodes in each state of the handshake. */
  Map<HandshakeState, Long> handshakes() {
    return sums(handshakes);
  }

  /** Nodes that cannot go on, by reason; every reason has an entry. */
  Map<BlockedReason, Long> stuck() {
    return sums(stuck);
  }

  private static <K extends Enum<K>> Map<K, Long> sums(EnumMap<K, LongAdder> adders) {
    Map<K, Long> sums = new EnumMap<>(adders.keySet().iterator().next().getDeclaringClass());
    adders.forEach((key, adder) -> sums.put(key, adder.sum()));
    return sums;
  }

  private void add(Standing standing, int sign) {
    standing
        .handshakes()
        .forEach((state, count) -> adder(handshakes, state).add((long) sign * count));
    standing.reason().ifPresent(blocked -> adder(stuck, blocked.reason()).add(sign));
    add(standing.statistics(), sign);
  }

  private static <K> LongAdder adder(Map<K, LongAdder> adders, K key) {
    return Objects.requireNonNull(adders.get(key), "every key has an adder");
  }

  private void add(NodeStatistics node, int sign) {
    used.add((long) sign * node.used());
    free.add((long) sign * (node.available() - node.used()));
    needed.add((long) sign * node.needed());
    remaining.add((long) sign * node.remainingInterfaces());
    candidates.add((long) sign * node.interfacesWithRoom());
    slots.add((long) sign * Math.max(0, node.emptySlots()));
    inDeficit.add(node.needed() > 0 ? sign : 0);
    // A node whose numbers are not known yet has no capacity to be at.
    atCapacity.add(node.capacity() > 0 && node.atCapacity() ? sign : 0);
  }

  ClusterStatistics snapshot() {
    return new ClusterStatistics(
        used.sum(),
        free.sum(),
        needed.sum(),
        remaining.sum(),
        candidates.sum(),
        slots.sum(),
        nodes.intValue(),
        inDeficit.intValue(),
        atCapacity.intValue());
  }
}
