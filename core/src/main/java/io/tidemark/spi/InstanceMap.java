package io.tidemark.spi;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Interfaces by instance, for a provider's cache (node-manager 1.6, 9.3 NM-L4). Each instance is an
 * immutable snapshot with a generation; a change replaces it whole, and an older one never replaces
 * a newer one. Thread-safe; readers take no lock. There is no id that stands for all instances.
 */
public final class InstanceMap {
  private final ConcurrentMap<InstanceId, Snapshot> instances = new ConcurrentHashMap<>();

  /**
   * One instance.
   *
   * @param generation of the read or change it comes from
   * @param interfaces by id, ascending
   */
  public record Snapshot(long generation, SortedMap<InterfaceId, AttachedInterface> interfaces) {
    public Snapshot {
      interfaces = Collections.unmodifiableSortedMap(new TreeMap<>(interfaces));
    }
  }

  /**
   * Puts or replaces one interface; makes the instance when it is unknown.
   *
   * @return whether it counts: false when the instance is known with a newer generation
   */
  public boolean update(InstanceId instance, AttachedInterface attached, long generation) {
    Snapshot after =
        instances.compute(
            instance,
            (id, known) -> {
              if (known != null && known.generation() > generation) {
                return known;
              }
              SortedMap<InterfaceId, AttachedInterface> interfaces =
                  known == null ? new TreeMap<>() : new TreeMap<>(known.interfaces());
              interfaces.put(attached.id(), attached);
              return new Snapshot(generation, interfaces);
            });
    return after.generation() == generation;
  }

  /**
   * Replaces an instance whole.
   *
   * @return whether it counts: false when the instance is known with a newer generation
   */
  public boolean updateInstance(
      InstanceId instance, List<AttachedInterface> interfaces, long generation) {
    SortedMap<InterfaceId, AttachedInterface> byId = new TreeMap<>();
    interfaces.forEach(each -> byId.put(each.id(), each));
    Snapshot next = new Snapshot(generation, byId);
    Snapshot after =
        instances.merge(
            instance, next, (known, fresh) -> known.generation() > generation ? known : fresh);
    return after.generation() == generation;
  }

  /** One instance as it is now; what is changed later does not show in it. */
  public Optional<Snapshot> find(InstanceId instance) {
    return Optional.ofNullable(instances.get(instance));
  }

  /** One interface of one instance. */
  public Optional<AttachedInterface> find(InstanceId instance, InterfaceId attached) {
    return find(instance).map(snapshot -> snapshot.interfaces().get(attached));
  }

  /** Ids of all instances, ascending. */
  public Set<InstanceId> ids() {
    return new TreeSet<>(instances.keySet());
  }

  /** Whether the instance is known. */
  public boolean exists(InstanceId instance) {
    return instances.containsKey(instance);
  }

  /** Forgets an instance; unknown ones are fine. */
  public void delete(InstanceId instance) {
    instances.remove(instance);
  }

  /** Number of instances. */
  public int size() {
    return instances.size();
  }

  /** A map of its own with the same snapshots. */
  public InstanceMap copy() {
    InstanceMap copy = new InstanceMap();
    for (Map.Entry<InstanceId, Snapshot> each : instances.entrySet()) {
      copy.instances.put(each.getKey(), each.getValue());
    }
    return copy;
  }
}
