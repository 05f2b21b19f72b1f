package io.tidemark.provider.aws.eni;

import io.tidemark.provider.kit.ReadMark;
import io.tidemark.spi.InstanceId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Instances with a property, by lists of all of them and by reads of single ones. Of two answers
 * the one whose request began later counts. Thread-safe.
 */
final class DatedInstances {
  private volatile Set<InstanceId> all = Set.of();
  private final Object lock = new Object();

  /** Generations of reads of single instances that are newer than the list; guarded by the lock. */
  private final Map<InstanceId, Long> singles = new HashMap<>();

  private long listGeneration;

  /** Whether the instance had the property when it was last looked at. */
  boolean contains(InstanceId id) {
    return all.contains(id);
  }

  /** Exactly {@code found} have it. */
  void listed(ReadMark mark, Set<InstanceId> found) {
    synchronized (lock) {
      if (mark.generation() < listGeneration) {
        return;
      }
      listGeneration = mark.generation();
      singles.values().removeIf(generation -> generation < listGeneration);
      Set<InstanceId> now = new HashSet<>(found);
      now.removeAll(singles.keySet());
      all.stream().filter(singles::containsKey).forEach(now::add);
      all = Set.copyOf(now);
    }
  }

  /** Of {@code asked}, exactly {@code found} have it. */
  void looked(ReadMark mark, Set<InstanceId> asked, Set<InstanceId> found) {
    synchronized (lock) {
      Set<InstanceId> now = new HashSet<>(all);
      for (InstanceId id : asked) {
        if (mark.generation() >= singles.getOrDefault(id, listGeneration)) {
          singles.put(id, mark.generation());
          now.remove(id);
          if (found.contains(id)) {
            now.add(id);
          }
        }
      }
      all = Set.copyOf(now);
    }
  }

  void forget(InstanceId id) {
    synchronized (lock) {
      Set<InstanceId> now = new HashSet<>(all);
      now.remove(id);
      all = Set.copyOf(now);
    }
  }
}
