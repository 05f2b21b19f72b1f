package io.tidemark.resource;

import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryNodeResourceStore.Versioned;
import io.tidemark.resource.NodeResourceStore.Watcher;
import io.tidemark.time.TaskScheduler;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A running watch of {@link InMemoryStoreClient}. Changes wait in one queue, and each has one task
 * of the scheduler that takes the queue's head, so they keep their order whatever order the tasks
 * run in. Of one object at most {@value #WAITING_MAX} changes wait; after that the newest waiting
 * one is replaced by a newer.
 */
final class InMemoryWatch implements NodeResourceStore.Watch {
  private static final int WAITING_MAX = 8;

  private final InMemoryStoreClient client;
  private final Optional<String> watched;
  private final Watcher watcher;
  private final TaskScheduler scheduler;
  private final DeliveryDelay delay;

  /** Held while the watcher is called, so that calls come one at a time. */
  private final Object delivery = new Object();

  private final Object lock = new Object();
  private final Deque<Event> queue = new ArrayDeque<>();
  private final Map<String, Deque<Change>> waiting = new HashMap<>();
  private int unscheduled;
  private long lastDueNanos;
  private boolean closed;

  /** An event that waits for delivery. */
  private sealed interface Event {}

  /** The objects there were when the watch began. */
  private record Present(List<Versioned> objects) implements Event {}

  /** One change of one object; a newer one may take its place while it waits. */
  private static final class Change implements Event {
    private Versioned newest;

    Change(Versioned newest) {
      this.newest = newest;
    }
  }

  InMemoryWatch(
      InMemoryStoreClient client,
      Optional<String> watched,
      Watcher watcher,
      TaskScheduler scheduler,
      DeliveryDelay delay) {
    this.client = client;
    this.watched = watched;
    this.watcher = watcher;
    this.scheduler = scheduler;
    this.delay = delay;
    this.lastDueNanos = scheduler.time().nanos();
  }

  /** The only object that this watch shows; empty for all. */
  Optional<String> watched() {
    return watched;
  }

  /** Queues what there is at the start. */
  void offerPresent(List<Versioned> objects) {
    synchronized (lock) {
      queue.add(new Present(objects));
      unscheduled++;
    }
  }

  /** Queues a change. Called in the order of versions, under the server's lock. */
  void offer(Versioned newest) {
    synchronized (lock) {
      Deque<Change> ofObject = waiting.computeIfAbsent(newest.name(), any -> new ArrayDeque<>(2));
      if (ofObject.size() == WAITING_MAX) {
        ofObject.getLast().newest = newest;
        return;
      }
      Change change = new Change(newest);
      ofObject.add(change);
      queue.add(change);
      unscheduled++;
    }
  }

  /** Gives each queued change its task; called without any lock. */
  void schedule() {
    while (true) {
      synchronized (lock) {
        if (unscheduled == 0) {
          return;
        }
        unscheduled--;
      }
      long due = scheduler.time().nanos() + Math.max(0, delay.nanos());
      synchronized (lock) {
        if (due - lastDueNanos < 0) {
          due = lastDueNanos;
        }
        lastDueNanos = due;
      }
      scheduler.at(due, this::deliverNext);
    }
  }

  @Override
  public void close() {
    client.unwatch(this);
    synchronized (delivery) {
      synchronized (lock) {
        closed = true;
        queue.clear();
        waiting.clear();
      }
    }
  }

  private void deliverNext() {
    synchronized (delivery) {
      Event event = next();
      if (event instanceof Change change) {
        deliver(change.newest);
      } else if (event instanceof Present present) {
        for (Versioned each : present.objects()) {
          deliver(each);
        }
        if (!isClosed()) {
          watcher.synced();
        }
      }
    }
  }

  private @Nullable Event next() {
    synchronized (lock) {
      Event event = queue.poll();
      if (event instanceof Change change) {
        Deque<Change> ofObject = waiting.get(change.newest.name());
        if (ofObject != null && ofObject.poll() != null && ofObject.isEmpty()) {
          waiting.remove(change.newest.name());
        }
      }
      return event;
    }
  }

  private boolean isClosed() {
    synchronized (lock) {
      return closed;
    }
  }

  private void deliver(Versioned change) {
    if (isClosed()) {
      return;
    }
    Versioned newest = client.learn(change);
    NodeResource resource = change.resource();
    if (resource == null && newest.resource() == null) {
      // A reader may have found it gone before; the watcher has not.
      watcher.deleted(change.name());
    } else if (resource != null && newest.version() == change.version()) {
      watcher.upserted(resource);
    }
  }
}
