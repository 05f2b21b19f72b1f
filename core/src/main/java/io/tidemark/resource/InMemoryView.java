package io.tidemark.resource;

import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryObjects.Listed;
import io.tidemark.resource.InMemoryObjects.Versioned;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client's view of {@link InMemoryObjects}: the newest version of each object that it read or
 * was delivered; older ones are neither answered nor delivered. Changes wait in one queue for its
 * watch, and each has one task of the scheduler that takes the queue's head, so they keep their
 * order whatever order the tasks run in. Thread-safe.
 *
 * @param <T> the object
 */
public final class InMemoryView<T> {
  private static final Duration LIST_MAX = Duration.ofSeconds(30);
  private static final int MERGED_ABOVE = 8;

  private final InMemoryObjects<T> server;
  private final Optional<String> watched;
  private final TaskScheduler scheduler;
  private final DeliveryDelay delay;
  private final int waitingMax;
  private final boolean relists;

  private final Object lock = new Object();
  private final Map<String, Versioned<T>> known = new HashMap<>();
  private @Nullable Running running;

  /**
   * A view that knows nothing yet.
   *
   * @param watched the only object that the watch shows; empty for all
   * @param scheduler runs the deliveries of the watch, which keep their order
   * @param relistAbove changes that may wait for the watch; one more, and it begins again with a
   *     list of all objects, as it does at each list of the client. Objects that a list lacks are
   *     shown as deleted. Empty: the watch merges changes, so that while eight of one object wait,
   *     the newest of them is replaced by a newer
   */
  public InMemoryView(
      InMemoryObjects<T> server,
      Optional<String> watched,
      TaskScheduler scheduler,
      DeliveryDelay delay,
      OptionalInt relistAbove) {
    this.server = server;
    this.watched = watched;
    this.scheduler = scheduler;
    this.delay = delay;
    this.waitingMax = relistAbove.orElse(MERGED_ABOVE);
    this.relists = relistAbove.isPresent();
  }

  /** The newest version known; empty when there is none. */
  public Optional<T> latest(String name) {
    synchronized (lock) {
      return Optional.ofNullable(known.get(name)).flatMap(Versioned::found);
    }
  }

  /** Names of all objects known. */
  public List<String> names() {
    synchronized (lock) {
      return known.values().stream()
          .filter(each -> each.object() != null)
          .map(Versioned::name)
          .toList();
    }
  }

  /** Remembers a version that was answered. Returns the newest one known. */
  public Versioned<T> learn(Versioned<T> seen) {
    synchronized (lock) {
      Versioned<T> before = known.get(seen.name());
      if (before != null && before.version() > seen.version()) {
        return before;
      }
      known.put(seen.name(), seen);
      return seen;
    }
  }

  /** Reads an object of the server. */
  public Optional<T> read(String name) {
    return learn(server.read(name)).found();
  }

  /** Reads all objects of the server. */
  public void list() {
    Listed<T> all = server.list();
    Running shown;
    synchronized (lock) {
      Set<String> absent = new HashSet<>(known.keySet());
      for (Versioned<T> each : all.objects()) {
        learn(each);
        absent.remove(each.name());
      }
      absent.forEach(name -> learn(new Versioned<>(all.version(), name, null)));
      shown = relists ? running : null;
      if (shown != null) {
        shown.replace(all.objects());
      }
    }
    if (shown != null) {
      shown.schedule();
    }
  }

  /** Runs {@code list} as the only request of a store's {@code catchUp}. */
  public static CompletionStage<CatchUp> catchUp(EffectRunner effects, Callable<CatchUp> list) {
    return effects
        .run(new EffectSite("list", ""), LIST_MAX, list)
        .stage()
        .handle((end, thrown) -> thrown == null ? end : new CatchUp.Failed(String.valueOf(thrown)));
  }

  /**
   * Delivers every object, then calls {@code synced}, then delivers changes in order.
   *
   * @throws IllegalStateException while another watch runs
   */
  public Watch watch(Consumer<T> upserted, Consumer<String> deleted, Runnable synced) {
    Running started = new Running(upserted, deleted, synced);
    synchronized (lock) {
      if (running != null) {
        throw new IllegalStateException("this client is watched already; close that watch first");
      }
      running = started;
    }
    server.subscribe(this, watched);
    return started;
  }

  /** Queues a change, in the order of versions; false when a list must follow in its place. */
  boolean offer(Versioned<T> change) {
    synchronized (lock) {
      return running == null || running.offer(change);
    }
  }

  /** Queues all objects, in place of what waits. */
  void offerList(List<Versioned<T>> objects) {
    synchronized (lock) {
      if (running != null) {
        running.replace(objects);
      }
    }
  }

  /** Gives what is queued its tasks; called without any lock. */
  void schedule() {
    Running current;
    synchronized (lock) {
      current = running;
    }
    if (current != null) {
      current.schedule();
    }
  }

  /** Changes that the watch gets at once; of a list, so that all other objects are gone. */
  private static final class Batch<T> {
    private final boolean isList;
    private List<Versioned<T>> changes;

    Batch(List<Versioned<T>> changes, boolean isList) {
      this.changes = changes;
      this.isList = isList;
    }
  }

  private final class Running implements Watch {
    private final Consumer<T> upserted;
    private final Consumer<String> deleted;
    private final Runnable synced;

    /** Held while the watcher is called, so that calls come one at a time. */
    private final Object delivery = new Object();

    private final Deque<Batch<T>> queue = new ArrayDeque<>();
    private final Map<String, Deque<Batch<T>>> merged = new HashMap<>();
    private boolean isSynced;
    private int unscheduled;
    private long lastDueNanos = scheduler.time().nanos();

    Running(Consumer<T> upserted, Consumer<String> deleted, Runnable synced) {
      this.upserted = upserted;
      this.deleted = deleted;
      this.synced = synced;
    }

    boolean offer(Versioned<T> change) {
      Batch<T> added = new Batch<>(List.of(change), false);
      if (relists) {
        if (queue.size() >= waitingMax) {
          return false;
        }
      } else {
        Deque<Batch<T>> same = merged.computeIfAbsent(change.name(), any -> new ArrayDeque<>(2));
        if (same.size() == waitingMax) {
          same.getLast().changes = added.changes;
          return true;
        }
        same.add(added);
      }
      queue.add(added);
      unscheduled++;
      return true;
    }

    void replace(List<Versioned<T>> objects) {
      queue.clear();
      queue.add(new Batch<>(objects, true));
      unscheduled++;
    }

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
      synchronized (delivery) {
        if (isRunning()) {
          server.unsubscribe(InMemoryView.this, watched);
          synchronized (lock) {
            running = null;
            queue.clear();
          }
        }
      }
    }

    private boolean isRunning() {
      synchronized (lock) {
        return this.equals(running);
      }
    }

    private void deliverNext() {
      synchronized (delivery) {
        Batch<T> next = next();
        if (next == null) {
          return;
        }
        if (next.isList && relists) {
          others(next.changes).forEach(this::forget);
        }
        next.changes.forEach(this::deliver);
        if (!isSynced && isRunning()) {
          isSynced = true;
          synced.run();
        }
      }
    }

    private @Nullable Batch<T> next() {
      synchronized (lock) {
        Batch<T> next = queue.poll();
        if (next != null && !next.isList && !relists) {
          merged.computeIfPresent(
              next.changes.get(0).name(),
              (name, same) -> {
                same.poll();
                return same.isEmpty() ? null : same;
              });
        }
        return next;
      }
    }

    /** Names that a list lacks, however old it is. The watcher may not have been told of some. */
    private List<String> others(List<Versioned<T>> listed) {
      synchronized (lock) {
        List<String> others = new ArrayList<>(known.keySet());
        listed.forEach(each -> others.remove(each.name()));
        return others;
      }
    }

    private void forget(String name) {
      tellFound(name);
      synchronized (lock) {
        known.computeIfPresent(name, (key, it) -> it.object() == null ? it : null);
      }
      deleted.accept(name);
    }

    /** A read may have found an object of which the watcher was not told. */
    private void tellFound(String name) {
      if (relists) {
        latest(name).ifPresent(upserted);
      }
    }

    private void deliver(Versioned<T> change) {
      if (!isRunning()) {
        return;
      }
      if (change.object() == null) {
        tellFound(change.name());
      }
      Versioned<T> newest = learn(change);
      if (change.object() == null && newest.object() == null) {
        // A reader may have found it gone before; the watcher has not.
        deleted.accept(change.name());
      } else if (change.object() != null && newest.version() == change.version()) {
        upserted.accept(change.object());
      }
    }
  }
}
