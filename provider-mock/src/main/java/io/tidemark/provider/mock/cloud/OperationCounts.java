package io.tidemark.provider.mock.cloud;

import java.util.EnumMap;
import java.util.SortedMap;
import java.util.TreeMap;

/** Requests counted by operation. Not thread-safe. */
final class OperationCounts {
  private final EnumMap<CloudOperation, Long> counts = new EnumMap<>(CloudOperation.class);

  /** Counts one; answers how many came before. */
  long count(CloudOperation operation) {
    long before = counts.getOrDefault(operation, 0L);
    counts.put(operation, before + 1);
    return before;
  }

  /** Operations that were counted, in their order. */
  SortedMap<CloudOperation, Long> copy() {
    return new TreeMap<>(counts);
  }
}
