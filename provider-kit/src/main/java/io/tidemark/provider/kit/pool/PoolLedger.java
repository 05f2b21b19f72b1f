package io.tidemark.provider.kit.pool;

import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
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
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pools with their free addresses: as last read, adjusted by own requests since then. Call
 * {@link #reserve} before a request that takes addresses, {@link #settle} after its response, and
 * {@link #exhausted} or {@link #fragmented} when the pool refused. Thread-safe.
 */
public final class PoolLedger<S> {
  /** How long no block is requested from a pool that refused one. */
  public static final Duration PAUSE = Duration.ofMinutes(2);

  private final TimeSource time;
  private final Meters metrics;
  private final Duration addressPause;
  private final Duration quarantine;
  private final Object lock = new Object();
  private final TreeMap<PoolId, Account<S>> accounts = new TreeMap<>();

  private static final class Account<S> {
    private Pool<S> read;
    private int free;
    private int onTheWay;
    private final CoolingCount cooling = new CoolingCount();
    private @Nullable Long exhaustedNanos;
    private @Nullable Long noAddressUntilNanos;
    private @Nullable Long noBlockUntilNanos;

    Account(Pool<S> read) {
      this.read = read;
      this.free = read.free();
    }
  }

  /**
   * A ledger without pools.
   *
   * @param addressPause how long no address is requested from a pool that refused one; zero if only
   *     the next read decides
   */
  public PoolLedger(TimeSource time, Meters metrics, Duration addressPause) {
    this(time, metrics, addressPause, Duration.ZERO);
  }

  /**
   * A ledger of a cloud that does not reuse an address at once.
   *
   * @param quarantine how long a released address does not count as free
   */
  public PoolLedger(TimeSource time, Meters metrics, Duration addressPause, Duration quarantine) {
    this.time = time;
    this.metrics = metrics;
    this.addressPause = addressPause;
    this.quarantine = quarantine;
  }

  /** Takes in a read of all pools; a pool that it does not list is gone. */
  public void accept(List<Pool<S>> pools) {
    Set<PoolId> listed = new TreeSet<>();
    synchronized (lock) {
      for (Pool<S> pool : pools) {
        accounts.put(pool.id(), updated(accounts.get(pool.id()), pool));
        listed.add(pool.id());
      }
      retain(listed);
    }
  }

  /**
   * Takes in a read of one pool; the others stay.
   *
   * @param begunNanos when the read began: a pool that was exhausted later stays so
   */
  public void accept(Pool<S> pool, long begunNanos) {
    synchronized (lock) {
      Account<S> kept = updated(accounts.get(pool.id()), pool);
      Long exhausted = kept.exhaustedNanos;
      if (exhausted != null && begunNanos - exhausted < 0) {
        kept.free = Math.min(kept.free, 0);
      } else {
        kept.exhaustedNanos = null;
      }
      accounts.put(pool.id(), kept);
    }
  }

  /** Forgets all pools but these. */
  public void retain(Set<PoolId> used) {
    Set<PoolId> gone;
    synchronized (lock) {
      gone = new TreeSet<>(accounts.keySet());
      gone.removeAll(used);
      accounts.keySet().removeAll(gone);
    }
    gone.forEach(id -> metrics.removeLabelled("subnet", id.text()));
  }

  private static <S> Account<S> updated(@Nullable Account<S> kept, Pool<S> read) {
    if (kept == null) {
      return new Account<>(read);
    }
    kept.read = read;
    kept.free = read.free() - kept.onTheWay;
    return kept;
  }

  /** One pool; empty if no read listed it. */
  public Optional<Pool<S>> find(PoolId id) {
    synchronized (lock) {
      @Nullable Account<S> found = accounts.get(id);
      return found == null ? Optional.empty() : Optional.of(pool(found));
    }
  }

  /** All pools, ids ascending. */
  public List<Pool<S>> all() {
    synchronized (lock) {
      return accounts.values().stream().map(this::pool).toList();
    }
  }

  /** The free addresses of each pool, for {@link io.tidemark.spi.AllocationImplementation}. */
  public SortedMap<PoolId, PoolQuota> quotas() {
    TreeMap<PoolId, PoolQuota> quotas = new TreeMap<>();
    for (Pool<S> pool : all()) {
      quotas.put(
          pool.id(),
          new PoolQuota(
              pool.zone(), Math.max(0, pool.free()), 0, pool.freeBlocks(), pool.fragmented()));
    }
    return Collections.unmodifiableSortedMap(quotas);
  }

  /** Records that a request that takes addresses is about to be sent. */
  public void reserve(PoolId id, int addresses) {
    change(
        id,
        found -> {
          found.onTheWay += addresses;
          found.free -= addresses;
        });
  }

  /**
   * Records that the response arrived or was lost.
   *
   * @param reserved as given to {@link #reserve}
   * @param taken how many of them were taken; all of them if that is unknown
   */
  public void settle(PoolId id, int reserved, int taken) {
    change(
        id,
        found -> {
          int counted = Math.min(reserved, found.onTheWay); // less when the pool was not known then
          found.onTheWay -= counted;
          found.free += counted - taken;
        });
  }

  /** Records that addresses were released. */
  public void gave(PoolId id, int addresses) {
    change(
        id,
        found -> {
          found.free += addresses;
          if (!quarantine.isZero()) {
            found.cooling.add(addresses, time.nanos() + quarantine.toNanos());
          }
        });
    reportCooling();
  }

  /** Tells the metrics how many released addresses do not count as free yet. */
  public void reportCooling() {
    if (quarantine.isZero()) {
      return;
    }
    SortedMap<PoolId, Integer> cooling = new TreeMap<>();
    synchronized (lock) {
      accounts.forEach((id, found) -> cooling.put(id, found.cooling.count(time.nanos())));
    }
    cooling.forEach(
        (id, addresses) -> metrics.gauge(Metric.ENI_QUARANTINED, id.text()).set(addresses));
  }

  /** Records that the cloud has too few free addresses here. */
  public void exhausted(PoolId id) {
    change(
        id,
        found -> {
          found.free = Math.min(found.free, 0);
          found.exhaustedNanos = time.nanos();
          found.noAddressUntilNanos = time.nanos() + addressPause.toNanos();
        });
  }

  /** Records that the cloud has no free block here: none is requested for a while. */
  public void fragmented(PoolId id) {
    change(id, found -> found.noBlockUntilNanos = time.nanos() + PAUSE.toNanos());
  }

  private void change(PoolId id, Consumer<Account<S>> how) {
    int onTheWay;
    synchronized (lock) {
      Account<S> found = accounts.get(id);
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
    metrics.gauge(Metric.ENI_IN_FLIGHT, id.text()).set(onTheWay);
  }

  private Pool<S> pool(Account<S> found) {
    Pool<S> read = found.read;
    return new Pool<>(
        read.id(),
        read.zone(),
        read.subnet(),
        read.usable(),
        found.free - found.cooling.count(time.nanos()),
        read.freeBlocks(),
        lasts(found.noAddressUntilNanos),
        lasts(found.noBlockUntilNanos));
  }

  private boolean lasts(@Nullable Long untilNanos) {
    return untilNanos != null && time.nanos() - untilNanos < 0;
  }
}
