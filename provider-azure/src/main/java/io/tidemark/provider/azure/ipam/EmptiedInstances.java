package io.tidemark.provider.azure.ipam;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.spi.InstanceId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Instances of Uniform sets that show none of their pod addresses any more: an upgrade to the set's
 * model leaves an instance with what the set gives it, but a single read may also be wrong. Two
 * reads a horizon apart are believed, if none between them shows otherwise (N44). Thread-safe.
 */
final class EmptiedInstances {
  private final Duration horizon;
  private final ConcurrentHashMap<InstanceId, Long> since = new ConcurrentHashMap<>();

  /** When the last read began that showed addresses: an earlier one may end later. */
  private final ConcurrentHashMap<InstanceId, Long> lastShown = new ConcurrentHashMap<>();

  EmptiedInstances(Duration horizon) {
    this.horizon = horizon;
  }

  /**
   * Whether a read shows nothing of what was known of an instance, and none did a horizon before.
   *
   * @param begunNanos when the read began
   */
  boolean isDoubtful(InstanceId id, List<Nic> known, List<Nic> read, long begunNanos) {
    AddressSet before = addresses(known);
    boolean uniform = ResourceId.of(id.text()).isUniformInstance();
    if (!uniform || before.isEmpty() || before.intersects(addresses(read))) {
      lastShown.merge(id, begunNanos, Math::max);
      since.remove(id);
      return false;
    }
    if (begunNanos - lastShown.getOrDefault(id, begunNanos) < 0) {
      return true;
    }
    long first = since.computeIfAbsent(id, key -> begunNanos);
    return begunNanos - first < horizon.toNanos();
  }

  /** Whether the last read showed nothing of what was known before it. */
  boolean isSuspected(InstanceId id) {
    return since.containsKey(id);
  }

  void forget(InstanceId id) {
    since.remove(id);
    lastShown.remove(id);
  }

  private static AddressSet addresses(List<Nic> nics) {
    AddressSet all = AddressSet.of();
    for (Nic each : nics) {
      all = all.plus(each.podAddresses());
    }
    return all;
  }
}
