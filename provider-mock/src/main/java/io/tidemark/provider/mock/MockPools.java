package io.tidemark.provider.mock;

import io.tidemark.provider.mock.cloud.SubnetView;
import io.tidemark.provider.mock.cloud.Vpc;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The subnets with what is free in them: as last read, moved by our own requests in between.
 * Thread-safe.
 */
final class MockPools {
  static final int BLOCK_SIZE = 16;
  static final Duration FRAGMENTED_FOR = Duration.ofMinutes(2);

  private final TimeSource time;
  private final Object lock = new Object();
  private final TreeMap<PoolId, Books> books = new TreeMap<>();
  private volatile Networks networks = Networks.NONE;

  private static final class Books {
    private SubnetView read;
    private int free;
    private int onTheWay;
    private boolean fragmented;
    private long fragmentedUntilNanos;

    Books(SubnetView read) {
      this.read = read;
      this.free = read.freeAddresses();
    }
  }

  MockPools(TimeSource time) {
    this.time = time;
  }

  /** Takes in what a read says; a subnet that it does not list is gone. */
  void accept(List<Vpc> allVpcs, List<SubnetView> subnets) {
    Networks read = Networks.of(allVpcs, subnets);
    if (!read.equals(networks)) {
      networks = read;
    }
    synchronized (lock) {
      TreeMap<PoolId, Books> old = new TreeMap<>(books);
      books.clear();
      for (SubnetView view : subnets) {
        PoolId id = new PoolId(view.subnet().id());
        Books kept = old.get(id);
        if (kept == null) {
          kept = new Books(view);
        } else {
          kept.read = view;
          kept.free = view.freeAddresses() - kept.onTheWay;
        }
        books.put(id, kept);
      }
    }
  }

  /** The networks as last read; the same object until they changed. */
  Networks networks() {
    return networks;
  }

  Optional<Pool> find(PoolId id) {
    synchronized (lock) {
      @Nullable Books found = books.get(id);
      return found == null ? Optional.empty() : Optional.of(pool(id, found));
    }
  }

  /** All pools, ids ascending. */
  List<Pool> all() {
    synchronized (lock) {
      return books.entrySet().stream().map(each -> pool(each.getKey(), each.getValue())).toList();
    }
  }

  SortedMap<PoolId, PoolQuota> quotas() {
    TreeMap<PoolId, PoolQuota> quotas = new TreeMap<>();
    for (Pool pool : all()) {
      quotas.put(pool.id(), new PoolQuota(pool.subnet().zone(), Math.max(0, pool.free()), 0));
    }
    return Collections.unmodifiableSortedMap(quotas);
  }

  /** A request that will take addresses is about to be sent. */
  void reserve(PoolId id, int addresses) {
    change(
        id,
        found -> {
          found.onTheWay += addresses;
          found.free -= addresses;
        });
  }

  /** The answer came: of the reserved addresses so many were really taken. */
  void settle(PoolId id, int reserved, int taken) {
    change(
        id,
        found -> {
          found.onTheWay -= reserved;
          found.free += reserved - taken;
        });
  }

  /** Addresses were given back. */
  void gave(PoolId id, int addresses) {
    change(id, found -> found.free += addresses);
  }

  /** The cloud said that no address is free. */
  void exhausted(PoolId id) {
    change(id, found -> found.free = Math.min(found.free, 0));
  }

  /** The cloud said that no block is free: none is asked for here for a while. */
  void fragmented(PoolId id) {
    change(
        id,
        found -> {
          found.fragmented = true;
          found.fragmentedUntilNanos = time.nanos() + FRAGMENTED_FOR.toNanos();
        });
  }

  private void change(PoolId id, java.util.function.Consumer<Books> how) {
    synchronized (lock) {
      Books found = books.get(id);
      if (found != null) {
        how.accept(found);
      }
    }
  }

  private Pool pool(PoolId id, Books found) {
    boolean fragmented = found.fragmented && time.nanos() - found.fragmentedUntilNanos < 0;
    return new Pool(id, found.read.subnet(), found.free, fragmented);
  }
}
