package io.tidemark.manifests;

import io.tidemark.cluster.Backend.Environment;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.Cancellable;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a folder again and again while somebody watches. A look that saw a change is soon
 * followed by another one. The one watcher is called from one thread at a time.
 */
final class FolderWatch<T> {
  private static final Logger LOG = LoggerFactory.getLogger(FolderWatch.class);
  private static final EffectSite SITE = new EffectSite("lookAtFiles", "");
  private static final Duration LOOK_TIMEOUT = Duration.ofSeconds(30);
  private static final long INTERVAL_NANOS = 200_000_000;
  private static final long INTERVAL_NANOS_MAX = 5_000_000_000L;
  private static final long SETTLING_NANOS = 50_000_000;

  /** A look of a tenth of a second is followed by a pause of one. */
  private static final int LOOKS_SHARE = 10;

  private final TaskScheduler scheduler;
  private final EffectRunner effects;
  private final Callable<Boolean> look;
  private @Nullable ObjectWatcher<T> current;
  private boolean synced;
  private Cancellable timer = () -> false;

  /** {@code look} reports its findings; it is false when another look is needed. */
  FolderWatch(Environment environment, Callable<Boolean> look) {
    this.scheduler = environment.scheduler();
    this.effects = environment.effects();
    this.look = look;
  }

  /** Begins for a watcher; the objects that are present follow. */
  synchronized Watch begin(ObjectWatcher<T> watcher) {
    if (current != null) {
      throw new IllegalStateException("this store is watched already; close that watch first");
    }
    current = watcher;
    synced = false;
    lookAfter(0, watcher);
    return () -> close(watcher);
  }

  private void lookAfter(long nanos, ObjectWatcher<T> watcher) {
    timer = scheduler.after(Duration.ofNanos(nanos), () -> look(watcher, scheduler.time().nanos()));
  }

  private void look(ObjectWatcher<T> watcher, long beganNanos) {
    effects
        .run(SITE, LOOK_TIMEOUT, look)
        .stage()
        .whenComplete((settled, error) -> looked(watcher, beganNanos, settled, error));
  }

  private synchronized void looked(
      ObjectWatcher<T> watcher,
      long beganNanos,
      @Nullable Boolean settled,
      @Nullable Throwable error) {
    if (current != watcher) {
      return;
    }
    if (settled == null) {
      LOG.warn("no answer from the file system", error);
    } else if (settled && !synced) {
      synced = true;
      tell(ObjectWatcher::synced);
    }
    long usual = settled != null && !settled ? SETTLING_NANOS : INTERVAL_NANOS;
    long least = (scheduler.time().nanos() - beganNanos) * LOOKS_SHARE;
    lookAfter(Math.max(usual, Math.min(least, INTERVAL_NANOS_MAX)), watcher);
  }

  /** Tells the watcher, if there is one; called in the order in which things happen. */
  synchronized void tell(Consumer<ObjectWatcher<T>> event) {
    if (current != null) {
      try {
        event.accept(current);
      } catch (RuntimeException e) {
        LOG.error("the watcher failed", e); // must not end the watch
      }
    }
  }

  private synchronized void close(ObjectWatcher<T> watcher) {
    if (current == watcher) {
      close();
    }
  }

  /** Waits for the call that is under way in another thread; none is made afterwards. */
  synchronized void close() {
    current = null;
    timer.cancel();
  }
}
