package io.tidemark.provider.kit;

import io.tidemark.spi.InstanceId;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Interfaces that are being created now, by token; they are nobody's litter. Thread-safe. */
public final class Creations {
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<InstanceId, Integer> ordinals = new ConcurrentHashMap<>();

  private final ConcurrentHashMap<String, Unseen> unseen = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<InstanceId, Situation> situations = new ConcurrentHashMap<>();

  private record Unseen(long sinceNanos) {}

  /** Since when tokens are met that somebody else used. */
  private record Situation(String key, long sinceNanos) {}

  public void begin(String token) {
    underWay.add(token);
  }

  public void end(String token) {
    underWay.remove(token);
  }

  public boolean isUnderWay(String token) {
    return underWay.contains(token);
  }

  /** The last part of an instance's next token. */
  public int ordinal(InstanceId id) {
    return ordinals.getOrDefault(id, 0);
  }

  /** The interface of the instance's present token is gone: the next one gets another. */
  public void used(InstanceId id) {
    ordinals.merge(id, 1, Integer::sum);
  }

  /**
   * A token was used before and no read shows its interface.
   *
   * @return whether that is so for longer than reads may lag, so that the interface is gone
   */
  public boolean unseenFor(Duration horizon, String token, long nowNanos) {
    Unseen first = unseen.computeIfAbsent(token, key -> new Unseen(nowNanos));
    boolean gone = nowNanos - first.sinceNanos() >= horizon.toNanos();
    if (gone) {
      unseen.remove(token);
    }
    return gone;
  }

  /**
   * A token of this situation was used by another process, and no read shows its interface. A
   * predecessor may have used many before it ended; one wait is for all of them.
   *
   * @param situation the same for all tokens that differ in their last part alone
   * @return whether the first one was met longer ago than reads may lag, so that what they made is
   *     gone
   */
  public boolean unseenFor(Duration horizon, InstanceId id, String situation, long nowNanos) {
    Situation met =
        situations.compute(
            id,
            (same, before) ->
                before != null && before.key().equals(situation)
                    ? before
                    : new Situation(situation, nowNanos));
    return nowNanos - met.sinceNanos() >= horizon.toNanos();
  }

  public void forget(InstanceId id) {
    ordinals.remove(id);
    situations.remove(id);
  }
}
