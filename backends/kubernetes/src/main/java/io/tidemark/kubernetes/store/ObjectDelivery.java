package io.tidemark.kubernetes.store;

import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a watcher what changed, one call at a time. Names are queued, not versions: a slow watcher
 * gets the newest version once, so the queue is bounded by the number of objects. A new incarnation
 * of a name is delivered as a deletion and an addition. Thread-safe.
 */
final class ObjectDelivery<T> implements Watch {
  private static final Logger LOG = LoggerFactory.getLogger(ObjectDelivery.class);

  private final KnownObjects<T> known;
  private final Consumer<T> upserted;
  private final ObjectWatcher<?> watcher;
  private final Executor executor;
  private final Runnable ended;
  private final Object turn = new Object();
  private final Object lock = new Object();
  private final Set<String> waiting = new LinkedHashSet<>();

  /** The uid that the watcher received for each name. Guarded by the turn. */
  private final Map<String, String> told = new HashMap<>();

  private boolean listed;
  private boolean synced;
  private boolean closed;

  /** Until {@link #start} no thread may deliver, as while one does. */
  private boolean running = true;

  /**
   * Delivers to {@code watcher}, from {@link #start} on; what changes before is queued.
   *
   * @param upserted receives objects in place of the watcher's own method
   * @param executor runs the calls
   * @param ended called when this is closed
   */
  ObjectDelivery(
      KnownObjects<T> known,
      Consumer<T> upserted,
      ObjectWatcher<?> watcher,
      Executor executor,
      Runnable ended) {
    this.known = known;
    this.upserted = upserted;
    this.watcher = watcher;
    this.executor = executor;
    this.ended = ended;
  }

  /**
   * Begins to deliver.
   *
   * @param present names of the objects that are known
   */
  void start(Collection<String> present) {
    synchronized (lock) {
      waiting.addAll(present);
      running = false;
    }
    wake();
  }

  void changed(String name) {
    synchronized (lock) {
      waiting.add(name);
    }
    wake();
  }

  /**
   * All objects that existed at the start are known. The watcher's {@code synced} is called once,
   * after these objects were delivered; further calls of this method have no effect.
   */
  void listed() {
    synchronized (lock) {
      listed = !synced;
    }
    wake();
  }

  private void wake() {
    synchronized (lock) {
      if (running || closed) {
        return;
      }
      running = true;
    }
    try {
      executor.execute(this::deliver);
    } catch (RejectedExecutionException e) {
      LOG.debug("The connection is closed; nothing more is delivered");
    }
  }

  private void deliver() {
    while (true) {
      Optional<String> name;
      synchronized (lock) {
        Iterator<String> next = waiting.iterator();
        if (closed || (!next.hasNext() && !listed)) {
          running = false;
          return;
        }
        if (next.hasNext()) {
          name = Optional.of(next.next());
          next.remove();
        } else {
          name = Optional.empty();
          listed = false;
          synced = true;
        }
      }
      synchronized (turn) {
        if (isClosed()) {
          return;
        }
        name.ifPresentOrElse(this::tell, () -> tell(watcher::synced));
      }
    }
  }

  private void tell(String name) {
    Optional<KnownObject<T>> now = known.find(name);
    String before = told.get(name);
    boolean present = now.isPresent() && !now.get().gone();
    String uid = present ? now.get().uid() : "";
    if (before != null && (!present || !before.equals(uid))) {
      told.remove(name);
      tell(() -> watcher.deleted(name));
    }
    if (!present) {
      return;
    }
    told.put(name, uid);
    KnownObject<T> object = now.get();
    if (object.problems().isEmpty()) {
      object.payload().ifPresent(payload -> tell(() -> upserted.accept(payload)));
    } else {
      tell(() -> watcher.refused(name, object.problems()));
    }
  }

  /** A watcher that throws must not end the watch. */
  private static void tell(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      LOG.error("A watcher of objects failed", e);
    }
  }

  private boolean isClosed() {
    synchronized (lock) {
      return closed;
    }
  }

  /** Waits for a call that runs in another thread; none is made afterwards. */
  @Override
  public void close() {
    synchronized (turn) {
      synchronized (lock) {
        closed = true;
        waiting.clear();
      }
    }
    ended.run();
  }
}
