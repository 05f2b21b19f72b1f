package io.tidemark.provider.aws.eni;

import io.tidemark.metrics.InterfaceMetrics;
import io.tidemark.provider.aws.ec2.Subnet;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The subnets with what is free in them: as last read, moved by our own requests in between
 * (provider-aws 2.3 S3). Thread-safe.
 */
final class SubnetPools {
  /** How long a subnet that refused is asked for nothing of the kind (provider-aws 1.3). */
  static final Duration COOL_DOWN = Duration.ofMinutes(2);

  private final TimeSource time;
  private final InterfaceMetrics metrics;
  private final Object lock = new Object();
  private final TreeMap<PoolId, Books> books = new TreeMap<>();

  private static final class Books {
    private Subnet read;
    private int free;
    private int onTheWay;
    private @Nullable Long noAddressUntilNanos;
    private @Nullable Long noBlockUntilNanos;

    Books(Subnet read) {
      this.read = read;
      this.free = read.availableAddresses();
    }
  }

  SubnetPools(TimeSource time, InterfaceMetrics metrics) {
    this.time = time;
    this.metrics = metrics;
  }

  /** Takes in what a read says; a subnet that it does not list is gone. */
  void accept(List<Subnet> subnets) {
    Set<PoolId> gone;
    synchronized (lock) {
      TreeMap<PoolId, Books> old = new TreeMap<>(books);
      books.clear();
      for (Subnet subnet : subnets) {
        Books kept = old.get(subnet.id());
        if (kept == null) {
          kept = new Books(subnet);
        } else {
          kept.read = subnet;
          kept.free = subnet.availableAddresses() - kept.onTheWay;
        }
        books.put(subnet.id(), kept);
      }
      gone = old.keySet();
      gone.removeAll(books.keySet());
    }
    gone.forEach(id -> metrics.subnetGone(id.text()));
  }

  Optional<SubnetPool> find(PoolId id) {
    synchronized (lock) {
      @Nullable Books found = books.get(id);
      return found == null ? Optional.empty() : Optional.of(pool(id, found));
    }
  }

  /** All pools, ids ascending. */
  List<SubnetPool> all() {
    synchronized (lock) {
      return books.entrySet().stream().map(each -> pool(each.getKey(), each.getValue())).toList();
    }
  }

  SortedMap<PoolId, PoolQuota> quotas() {
    TreeMap<PoolId, PoolQuota> quotas = new TreeMap<>();
    for (SubnetPool pool : all()) {
      quotas.put(
          pool.id(), new PoolQuota(pool.subnet().availabilityZone(), Math.max(0, pool.free()), 0));
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

  /** EC2 said that not enough addresses are free: none is asked for here for a while. */
  void exhausted(PoolId id) {
    change(
        id,
        found -> {
          found.free = Math.min(found.free, 0);
          found.noAddressUntilNanos = time.nanos() + COOL_DOWN.toNanos();
        });
  }

  /** EC2 said that no prefix is free: none is asked for here for a while. */
  void fragmented(PoolId id) {
    change(id, found -> found.noBlockUntilNanos = time.nanos() + COOL_DOWN.toNanos());
  }

  private void change(PoolId id, Consumer<Books> how) {
    int onTheWay;
    synchronized (lock) {
      Books found = books.get(id);
      if (found == null) {
        return;
      }
      int before = found.onTheWay;
      how.accept(found);
      onTheWay = found.onTheWay;
      if (onTheWay == before) {
        return;
      }
    }
    metrics.inFlight(id.text(), onTheWay);
  }

  private SubnetPool pool(PoolId id, Books found) {
    return new SubnetPool(
        id,
        found.read,
        found.free,
        lasts(found.noAddressUntilNanos),
        lasts(found.noBlockUntilNanos));
  }

  private boolean lasts(@Nullable Long untilNanos) {
    return untilNanos != null && time.nanos() - untilNanos < 0;
  }
}
