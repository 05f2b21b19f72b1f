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
 * reads a horizon apart are believed (N44). Thread-safe.
 */
final class Replacements {
  private final Duration horizon;
  private final ConcurrentHashMap<InstanceId, Long> since = new ConcurrentHashMap<>();

  /** What a read of an instance says. */
  enum Sight {
    /** It shows some of what was known, or nothing was known, or it is of no set. */
    USUAL,
    /** It shows nothing of what was known, for the first time. */
    DOUBTFUL,
    /** It shows nothing of what was known, as a read did a horizon before. */
    REPLACED
  }

  Replacements(Duration horizon) {
    this.horizon = horizon;
  }

  /**
   * Compares what was known of an instance with a read.
   *
   * @param begunNanos when the read began
   */
  Sight of(InstanceId id, List<Nic> known, List<Nic> read, long begunNanos) {
    AddressSet before = addresses(known);
    boolean uniform = ResourceId.of(id.text()).isUniformInstance();
    if (!uniform || before.isEmpty() || before.intersects(addresses(read))) {
      since.remove(id);
      return Sight.USUAL;
    }
    long first = since.computeIfAbsent(id, key -> begunNanos);
    return begunNanos - first < horizon.toNanos() ? Sight.DOUBTFUL : Sight.REPLACED;
  }

  void forget(InstanceId id) {
    since.remove(id);
  }

  private static AddressSet addresses(List<Nic> nics) {
    AddressSet all = AddressSet.of();
    for (Nic each : nics) {
      all = all.plus(each.podAddresses());
    }
    return all;
  }
}
