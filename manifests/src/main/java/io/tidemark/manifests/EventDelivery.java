package io.tidemark.manifests;

import io.tidemark.resource.ObjectWatcher;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a watcher events in order, from one thread at a time, and nothing once it is closed. */
final class EventDelivery<T> {
  private static final Logger LOG = LoggerFactory.getLogger(EventDelivery.class);

  private final ObjectWatcher<T> watcher;
  private final Queue<Consumer<ObjectWatcher<T>>> events = new ConcurrentLinkedQueue<>();
  private final Object turn = new Object();
  private boolean telling;
  private boolean closed;

  EventDelivery(ObjectWatcher<T> watcher) {
    this.watcher = watcher;
  }

  /** Queues events; called in the order in which they happen. */
  void add(Collection<Consumer<ObjectWatcher<T>>> more) {
    events.addAll(more);
  }

  /** Tells what is queued. A watcher that calls back in is not told from inside its own call. */
  void deliver() {
    synchronized (turn) {
      if (telling) {
        return;
      }
      telling = true;
      try {
        Consumer<ObjectWatcher<T>> next = events.poll();
        while (next != null && !closed) {
          tell(next);
          next = events.poll();
        }
      } finally {
        telling = false;
      }
    }
  }

  /** A watcher that throws must not end the watch. */
  private void tell(Consumer<ObjectWatcher<T>> event) {
    try {
      event.accept(watcher);
    } catch (RuntimeException e) {
      LOG.error("the watcher failed", e);
    }
  }

  /** Waits for the call that is under way in another thread; none is made afterwards. */
  void close() {
    synchronized (turn) {
      closed = true;
    }
  }
}
