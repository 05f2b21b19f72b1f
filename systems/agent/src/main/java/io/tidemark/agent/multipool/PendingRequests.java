package io.tidemark.agent.multipool;

import io.tidemark.agent.PoolName;
import io.tidemark.agent.Upstream;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Owners that asked for an address of a pool and got none (allocators 5.3). They count in the
 * demand until they get one, or do not ask again for five minutes. What else there is to publish is
 * passed on. Thread-safe.
 */
final class PendingRequests implements Upstream {
  private static final long KEPT_NANOS = Duration.ofMinutes(5).toNanos();

  /** More owners than a node has pods; further ones are not counted. */
  private static final int REQUESTS_MAX = 4096;

  private final TimeSource time;
  private volatile Upstream next = Upstream.NONE;
  private final Map<Key, Long> untilNanos = new HashMap<>();

  /** Read without the lock, so that an agent with enough addresses does not wait here. */
  private volatile boolean any;

  private record Key(PoolName pool, IpFamily family, String owner) {}

  PendingRequests(TimeSource time) {
    this.time = time;
  }

  void next(Upstream publisher) {
    next = publisher;
  }

  @Override
  public void changed() {
    next.changed();
  }

  @Override
  public void restoreFinished(IpFamily family) {
    next.restoreFinished(family);
  }

  @Override
  public void lacking(PoolName pool, IpFamily family, String owner, UpstreamSync sync) {
    lacking(pool, family, owner, time.nanos());
    if (sync == UpstreamSync.NOW) {
      next.changed();
    }
  }

  /** A request was not served. A repeated request counts once and restarts its time limit. */
  synchronized void lacking(PoolName pool, IpFamily family, String owner, long now) {
    Key key = new Key(pool, family, owner);
    if (untilNanos.size() >= REQUESTS_MAX && !untilNanos.containsKey(key)) {
      return;
    }
    untilNanos.put(key, now + KEPT_NANOS);
    any = true;
  }

  @Override
  public void served(PoolName pool, IpFamily family, String owner) {
    if (any) {
      remove(new Key(pool, family, owner));
    }
  }

  private synchronized void remove(Key key) {
    untilNanos.remove(key);
    any = !untilNanos.isEmpty();
  }

  /** Forgets those that have not asked for too long. */
  synchronized void expire(long now) {
    untilNanos.values().removeIf(until -> now - until > 0);
    any = !untilNanos.isEmpty();
  }

  synchronized int count(PoolName pool, IpFamily family) {
    int count = 0;
    for (Key key : untilNanos.keySet()) {
      count += key.family() == family && key.pool().equals(pool) ? 1 : 0;
    }
    return count;
  }

  /** The names of the pools that owners wait for, ascending. */
  synchronized Set<String> pools() {
    Set<String> pools = new TreeSet<>();
    untilNanos.keySet().forEach(key -> pools.add(key.pool().value()));
    return pools;
  }
}
