package io.tidemark.kubernetes.store;

import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The watcher of a store, of which there is at most one at a time. Thread-safe; the lock is held
 * for a field alone.
 *
 * @param <T> the objects
 */
final class OneWatch<T> {
  private final String objects;
  private final KnownObjects<T> known;
  private final Executor executor;
  private final Object lock = new Object();
  private @Nullable ObjectDelivery<T> open;

  /**
   * Nobody watches yet.
   *
   * @param objects what they are called, plural
   * @param executor runs the calls of the watcher
   */
  OneWatch(String objects, KnownObjects<T> known, Executor executor) {
    this.objects = objects;
    this.known = known;
    this.executor = executor;
  }

  /**
   * Delivers all objects that are known, and from then on what changes.
   *
   * @param upserted receives objects in place of the watcher's own method
   * @param hasListed whether {@link #listed} was called before
   * @throws IllegalStateException while another watcher is there
   */
  Watch begin(Consumer<T> upserted, ObjectWatcher<?> watcher, BooleanSupplier hasListed) {
    ObjectDelivery<T> started =
        new ObjectDelivery<>(known, upserted, watcher, executor, this::ended);
    synchronized (lock) {
      if (open != null) {
        throw new IllegalStateException(
            "these " + objects + " are watched already; close that watch first");
      }
      open = started;
    }
    if (hasListed.getAsBoolean()) {
      started.listed();
    }
    started.start(known.names());
    return started;
  }

  private void ended() {
    synchronized (lock) {
      open = null;
    }
  }

  void changed(String name) {
    ObjectDelivery<T> delivery = delivery();
    if (delivery != null) {
      delivery.changed(name);
    }
  }

  void listed() {
    ObjectDelivery<T> delivery = delivery();
    if (delivery != null) {
      delivery.listed();
    }
  }

  private @Nullable ObjectDelivery<T> delivery() {
    synchronized (lock) {
      return open;
    }
  }
}
