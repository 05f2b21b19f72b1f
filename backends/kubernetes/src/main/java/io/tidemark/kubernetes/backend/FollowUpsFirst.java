package io.tidemark.kubernetes.backend;

import io.tidemark.time.Effect;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the API server, node by node: the one that follows another of its node, as a spec
 * follows its status, goes before those of nodes that have not begun. Of ten thousand nodes that
 * come at once the first has its pool after two requests and not after ten thousand. A follow-up
 * has none itself, so nothing waits for ever. Thread-safe.
 */
final class FollowUpsFirst implements EffectRunner {
  /** Requests that may wait: those of a very large cluster, all at once. */
  private static final int WAITING_MAX = 100_000;

  /** Nodes whose next request will be a follow-up; far more than are between two requests. */
  private static final int FOLLOWED_MAX = 1_024;

  private final EffectRunner effects;
  private final int atOnce;
  private final Object lock = new Object();
  private final Queue<Turn<?>> followUps = new ArrayDeque<>();
  private final Queue<Turn<?>> others = new ArrayDeque<>();
  private final Set<String> followed = new LinkedHashSet<>();
  private int running;
  private boolean starting;

  /**
   * Before {@code effects}.
   *
   * @param atOnce requests that are handed on and have not ended, 1 or more: enough to keep those
   *     busy who send them
   */
  FollowUpsFirst(EffectRunner effects, int atOnce) {
    this.effects = effects;
    this.atOnce = atOnce;
  }

  private record Turn<T>(
      EffectSite site,
      Duration timeout,
      Callable<T> leaf,
      boolean isFollowUp,
      WaitingEffect<T> line) {
    void begin(EffectRunner effects, Runnable ended) {
      line.begin(() -> effects.run(site, timeout, leaf));
      line.stage().whenComplete((answer, thrown) -> ended.run());
    }
  }

  @Override
  public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
    WaitingEffect<T> line = new WaitingEffect<>();
    synchronized (lock) {
      if (followUps.size() + others.size() >= WAITING_MAX) {
        return WaitingEffect.refused(
            new RejectedExecutionException("no room for " + site.operation() + " in the line"));
      }
      boolean isFollowUp = followed.remove(site.subject());
      (isFollowUp ? followUps : others).add(new Turn<>(site, timeout, leaf, isFollowUp, line));
    }
    begin();
    return line;
  }

  /** One thread at a time, in a loop: a request may end while it begins. */
  private void begin() {
    for (Turn<?> next = next(); next != null; next = next()) {
      next.begin(effects, this::ended);
      synchronized (lock) {
        starting = false;
      }
    }
  }

  private @Nullable Turn<?> next() {
    synchronized (lock) {
      if (starting || running >= atOnce) {
        return null;
      }
      Turn<?> next = followUps.isEmpty() ? others.poll() : followUps.poll();
      if (next != null) {
        starting = true;
        running++;
        if (!next.isFollowUp()) {
          follow(next.site().subject());
        }
      }
      return next;
    }
  }

  private void ended() {
    synchronized (lock) {
      running--;
    }
    begin();
  }

  private void follow(String node) {
    followed.add(node);
    if (followed.size() > FOLLOWED_MAX) {
      followed.remove(followed.iterator().next());
    }
  }
}
