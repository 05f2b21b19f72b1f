package io.tidemark.agent;

import io.tidemark.ip.IpFamily;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shards by family and pool. The pool that a caller names is realised here: where the mode has
 * no pools, every name means the default one. Immutable.
 */
final class Shards {
  private final Map<IpFamily, Map<PoolName, Shard>> shards = new EnumMap<>(IpFamily.class);
  private final PoolName defaultPool;
  private final boolean anyPoolIsDefault;

  Shards(List<Shard> all, PoolName defaultPool, boolean anyPoolIsDefault) {
    for (Shard shard : all) {
      Shard other =
          shards
              .computeIfAbsent(shard.family(), family -> new LinkedHashMap<>())
              .put(shard.pool(), shard);
      if (other != null) {
        throw new IllegalArgumentException(
            "pool " + shard.pool() + " has two allocators for " + shard.family());
      }
    }
    this.defaultPool = defaultPool;
    this.anyPoolIsDefault = anyPoolIsDefault;
  }

  PoolName defaultPool() {
    return defaultPool;
  }

  /** Whether addresses of this family are handed out. */
  boolean serves(IpFamily family) {
    return shards.containsKey(family);
  }

  /** The shard of the pool that {@code named} means; null when there is none. */
  @Nullable Shard find(IpFamily family, PoolName named) {
    Map<PoolName, Shard> pools = shards.get(family);
    return pools == null ? null : pools.get(anyPoolIsDefault ? defaultPool : named);
  }

  Stream<Shard> all() {
    return shards.values().stream().flatMap(pools -> pools.values().stream());
  }
}
