package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.Cidr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The ranges that are routed to instances, now and a short time ago. No two of them overlap. Not
 * thread-safe.
 */
final class AliasRanges {
  private final long keepNanos;
  private final Map<String, Versions<List<Cidr>>> ofInstance = new HashMap<>();

  /** Whose a range is; ranges do not overlap, so only neighbours can share addresses with one. */
  private final TreeMap<Cidr, String> holders = new TreeMap<>();

  /** None; the past is remembered so long. */
  AliasRanges(long keepNanos) {
    this.keepNanos = keepNanos;
  }

  /** Those of an instance now, in the order in which they were added. */
  List<Cidr> of(String instanceId) {
    Versions<List<Cidr>> versions = ofInstance.get(instanceId);
    List<Cidr> current = versions == null ? null : versions.current();
    return current == null ? List.of() : current;
  }

  /** The same, as a reader of that instant sees it. */
  List<Cidr> of(String instanceId, long asOfNanos) {
    Versions<List<Cidr>> versions = ofInstance.get(instanceId);
    List<Cidr> then = versions == null ? null : versions.at(asOfNanos);
    return then == null ? List.of() : then;
  }

  /** A range that shares addresses with this one. */
  Optional<Map.Entry<Cidr, String>> overlapping(Cidr cidr) {
    Map.Entry<Cidr, String> before = holders.floorEntry(cidr);
    if (before != null && before.getKey().overlaps(cidr)) {
      return Optional.of(before);
    }
    return Optional.ofNullable(holders.higherEntry(cidr))
        .filter(after -> after.getKey().overlaps(cidr));
  }

  void add(String instanceId, Cidr cidr, long nowNanos) {
    holders.put(cidr, instanceId);
    List<Cidr> more = new ArrayList<>(of(instanceId));
    more.add(cidr);
    Versions<List<Cidr>> versions = ofInstance.get(instanceId);
    if (versions == null) {
      ofInstance.put(instanceId, new Versions<>(List.copyOf(more), nowNanos));
    } else {
      versions.set(List.copyOf(more), nowNanos, keepNanos);
    }
  }

  /** The instance is gone, and its ranges are free. */
  void forget(String instanceId) {
    of(instanceId).forEach(holders::remove);
    ofInstance.remove(instanceId);
  }
}
