package io.tidemark.manifests;

import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.Cancellable;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a folder again and again while somebody watches, and tells the one watcher events in
 * order, from one thread at a time. A look that saw a change is soon followed by another one.
 */
final class FolderWatch<T> {
  private static final Logger LOG = LoggerFactory.getLogger(FolderWatch.class);

  /** A look of a tenth of a second is followed by a pause of one. */
  private static final int LOOKS_SHARE = 10;

  private static final long INTERVAL_NANOS_MAX = 5_000_000_000L;

  private final DirectoryOptions options;
  private final TaskScheduler scheduler;
  private final EffectRunner effects;
  private final EffectSite site;
  private final Callable<Boolean> look;
  private final AtomicReference<@Nullable ObjectWatcher<T>> current = new AtomicReference<>();
  private final Queue<Consumer<ObjectWatcher<T>>> events = new ConcurrentLinkedQueue<>();
  private final Object turn = new Object();
  private boolean telling;
  private volatile boolean synced;
  private volatile @Nullable Cancellable timer;

  /**
   * Nobody watches yet.
   *
   * @param look one look, which adds its events; false when another one is needed
   */
  FolderWatch(
      DirectoryOptions options,
      TaskScheduler scheduler,
      EffectRunner effects,
      EffectSite site,
      Callable<Boolean> look) {
    this.options = options;
    this.scheduler = scheduler;
    this.effects = effects;
    this.site = site;
    this.look = look;
  }

  /**
   * Tells {@code watcher} what is present, and then each change that a look finds. Called while
   * nobody adds events.
   */
  Watch begin(ObjectWatcher<T> watcher, Collection<Consumer<ObjectWatcher<T>>> present) {
    if (!current.compareAndSet(null, watcher)) {
      throw new IllegalStateException("this store is watched already; close that watch first");
    }
    synced = false;
    add(present);
    after(watcher, Duration.ZERO);
    return () -> {
      if (current.get() == watcher) {
        close();
      }
    };
  }

  private void after(ObjectWatcher<T> watcher, Duration delay) {
    if (current.get() == watcher) {
      timer = scheduler.after(delay, () -> look(watcher));
    }
  }

  private void look(ObjectWatcher<T> watcher) {
    long beganNanos = scheduler.time().nanos();
    effects
        .run(site, options.requestTimeout(), look)
        .stage()
        .whenComplete((settled, error) -> looked(watcher, beganNanos, settled, error));
  }

  private void looked(
      ObjectWatcher<T> watcher,
      long beganNanos,
      @Nullable Boolean settled,
      @Nullable Throwable error) {
    boolean done = settled != null && settled;
    if (settled == null) {
      LOG.warn("no answer from the file system", error);
    }
    if (done && !synced && current.get() == watcher) {
      synced = true;
      events.add(ObjectWatcher::synced);
    }
    deliver();
    long lookNanos = scheduler.time().nanos() - beganNanos;
    Duration least = Duration.ofNanos(Math.min(lookNanos * LOOKS_SHARE, INTERVAL_NANOS_MAX));
    Duration usual = settled == null || done ? options.pollInterval() : options.settleTime();
    after(watcher, usual.compareTo(least) >= 0 ? usual : least);
  }

  /** Queues events; called in the order in which they happen. */
  void add(Collection<Consumer<ObjectWatcher<T>>> more) {
    if (current.get() != null) {
      events.addAll(more);
    }
  }

  /** Tells what is queued. A watcher that calls back in is not told from inside its own call. */
  void deliver() {
    synchronized (turn) {
      if (telling) {
        return;
      }
      telling = true;
      try {
        ObjectWatcher<T> watcher = current.get();
        Consumer<ObjectWatcher<T>> next = events.poll();
        while (next != null && watcher != null) {
          tell(watcher, next);
          watcher = current.get();
          next = events.poll();
        }
      } finally {
        telling = false;
      }
    }
  }

  /** A watcher that throws must not end the watch. */
  private void tell(ObjectWatcher<T> watcher, Consumer<ObjectWatcher<T>> event) {
    try {
      event.accept(watcher);
    } catch (RuntimeException e) {
      LOG.error("the watcher failed", e);
    }
  }

  /** Waits for the call that is under way in another thread; none is made afterwards. */
  void close() {
    current.set(null);
    @Nullable Cancellable last = timer;
    if (last != null) {
      last.cancel();
    }
    synchronized (turn) {
      events.clear();
    }
  }
}
