package io.tidemark.provider.kit;

import io.tidemark.spi.InstanceId;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The creations of interfaces that run now or ended a short while ago, by token: their interfaces
 * are not orphans, because the next attempt of the same situation returns to them. Thread-safe.
 */
public final class Creations {
  private final TimeSource time;
  private final Duration lately;
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();

  /** Oldest first; guarded by itself. */
  private final Map<String, Long> endedNanos = new LinkedHashMap<>();

  private final ConcurrentHashMap<InstanceId, Integer> ordinals = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<InstanceId, Unseen> unseen = new ConcurrentHashMap<>();

  /** Since when tokens of a situation are met that somebody else used. */
  private record Unseen(String situation, long sinceNanos) {}

  /**
   * No creation yet.
   *
   * @param lately how long a creation that ended keeps its interface from being an orphan
   */
  public Creations(TimeSource time, Duration lately) {
    this.time = time;
    this.lately = lately;
  }

  /** A creation with this token begins. */
  public void begin(String token) {
    underWay.add(token);
  }

  /** The creation ended in any way; the next attempt may come back to its interface. */
  public void end(String token) {
    long now = time.nanos();
    synchronized (endedNanos) {
      endedNanos.remove(token);
      endedNanos.put(token, now);
      Iterator<Long> oldest = endedNanos.values().iterator();
      while (oldest.hasNext() && now - oldest.next() >= lately.toNanos()) {
        oldest.remove();
      }
    }
    underWay.remove(token);
  }

  /** No attempt comes back to the interface of this token. */
  public void abandon(String token) {
    underWay.remove(token);
  }

  /** Whether a creation with this token runs now or ended a short while ago. */
  public boolean isCurrent(String token) {
    if (underWay.contains(token)) {
      return true;
    }
    synchronized (endedNanos) {
      Long ended = endedNanos.get(token);
      return ended != null && time.nanos() - ended < lately.toNanos();
    }
  }

  /** The last part of an instance's next token. */
  public int ordinal(InstanceId id) {
    return ordinals.getOrDefault(id, 0);
  }

  /** The interface of the instance's current token is gone: the next one gets another token. */
  public void used(InstanceId id) {
    ordinals.merge(id, 1, Integer::sum);
  }

  /**
   * A token of this situation was used by another process, and no read shows its interface. A
   * predecessor may have used many before it ended; one wait is for all of them.
   *
   * @param situation the same for all tokens that differ in their last part alone
   * @return whether the first one was met longer ago than reads may lag, so that what they made is
   *     gone
   */
  public boolean unseenFor(Duration horizon, InstanceId id, String situation) {
    long now = time.nanos();
    Unseen met =
        unseen.compute(
            id,
            (same, before) ->
                before != null && before.situation().equals(situation)
                    ? before
                    : new Unseen(situation, now));
    return now - met.sinceNanos() >= horizon.toNanos();
  }

  /** Forgets an instance that no node has any more. */
  public void forget(InstanceId id) {
    ordinals.remove(id);
    unseen.remove(id);
  }
}
