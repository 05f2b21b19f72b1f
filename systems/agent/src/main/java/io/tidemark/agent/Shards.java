package io.tidemark.agent;

import io.tidemark.ip.IpFamily;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shards by family and pool. The pool that a caller names is realised here: where the mode has
 * no pools, every name means the default one. Thread-safe.
 */
final class Shards {
  private final PoolName defaultPool;
  private final boolean anyPoolIsDefault;

  /** Makes the shard of a pool that appears; null where pools do not. */
  private final @Nullable BiFunction<PoolName, IpFamily, Shard> appearing;

  /** Replaced as a whole when a pool appears. */
  private volatile Map<IpFamily, Map<PoolName, Shard>> shards = new EnumMap<>(IpFamily.class);

  Shards(List<Shard> all, PoolName defaultPool, boolean anyPoolIsDefault) {
    this.defaultPool = defaultPool;
    this.anyPoolIsDefault = anyPoolIsDefault;
    this.appearing = null;
    all.forEach(this::add);
  }

  /** None yet, and those that {@code appearing} makes, of these families. */
  Shards(
      Set<IpFamily> families,
      PoolName defaultPool,
      BiFunction<PoolName, IpFamily, Shard> appearing) {
    this.defaultPool = defaultPool;
    this.anyPoolIsDefault = false;
    this.appearing = appearing;
    families.forEach(family -> shards.put(family, Map.of()));
  }

  private void add(Shard shard) {
    Map<IpFamily, Map<PoolName, Shard>> more = new EnumMap<>(IpFamily.class);
    more.putAll(shards);
    Map<PoolName, Shard> pools = new LinkedHashMap<>(more.getOrDefault(shard.family(), Map.of()));
    if (pools.put(shard.pool(), shard) != null) {
      throw new IllegalArgumentException(
          "pool " + shard.pool() + " has two allocators for " + shard.family());
    }
    more.put(shard.family(), pools);
    shards = more;
  }

  PoolName defaultPool() {
    return defaultPool;
  }

  boolean serves(IpFamily family) {
    return shards.containsKey(family);
  }

  /** The shard of the pool that {@code named} means; null when there is none. */
  @Nullable Shard find(IpFamily family, PoolName named) {
    Map<PoolName, Shard> pools = shards.get(family);
    return pools == null ? null : pools.get(anyPoolIsDefault ? defaultPool : named);
  }

  /**
   * As {@link #find}; a pool that is not known appears, where pools do.
   *
   * @param added hears of a shard that is new
   */
  @Nullable Shard findOrAdd(IpFamily family, PoolName named, Consumer<Shard> added) {
    Shard found = find(family, named);
    if (found != null || appearing == null || !serves(family) || !named.isGiven()) {
      return found;
    }
    synchronized (this) {
      found = find(family, named);
      if (found != null) {
        return found;
      }
      found = appearing.apply(named, family);
      add(found);
    }
    added.accept(found);
    return found;
  }

  Stream<Shard> all() {
    return shards.values().stream().flatMap(pools -> pools.values().stream());
  }
}
