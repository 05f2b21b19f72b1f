package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import java.util.ArrayList;
import java.util.List;

/** Remembers a bounded number of changes for whoever asked for them. Not thread-safe. */
final class MutationLog {
  private int capacity;
  private long sequence;
  private boolean complete = true;
  private List<Mutation> entries = new ArrayList<>();

  /** Starts to remember; 0 stops. */
  void keep(int entriesMax) {
    capacity = entriesMax;
    entries = new ArrayList<>();
    complete = true;
  }

  void add(
      Mutation.Kind kind, String instanceId, String interfaceId, AddressSet addresses, long nanos) {
    sequence++;
    if (capacity == 0) {
      return;
    }
    if (entries.size() >= capacity) {
      complete = false;
      return;
    }
    entries.add(new Mutation(sequence, nanos, kind, instanceId, interfaceId, addresses));
  }

  Mutations drain() {
    Mutations drained = new Mutations(entries, complete);
    entries = new ArrayList<>();
    complete = true;
    return drained;
  }
}
