package io.tidemark.resource;

import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.InMemoryNodeResourceStore.Versioned;
import io.tidemark.resource.InMemoryNodeResourceStore.Written;
import io.tidemark.time.TaskScheduler;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client of {@link InMemoryNodeResourceStore}. It remembers the newest version of each object
 * that it answered or delivered, and neither answers nor delivers an older one.
 */
final class InMemoryStoreClient implements NodeResourceStore {
  private final InMemoryNodeResourceStore server;
  private final Optional<String> watched;
  private final TaskScheduler scheduler;
  private final DeliveryDelay delay;
  private final Interference interference;

  private final Object lock = new Object();
  private final Map<String, Versioned> known = new HashMap<>();
  private @Nullable InMemoryWatch watch;

  InMemoryStoreClient(
      InMemoryNodeResourceStore server,
      Optional<String> watched,
      TaskScheduler scheduler,
      DeliveryDelay delay,
      Interference interference) {
    this.server = server;
    this.watched = watched;
    this.scheduler = scheduler;
    this.delay = delay;
    this.interference = interference;
  }

  @Override
  public Optional<NodeResource> latest(String name) {
    synchronized (lock) {
      Versioned found = known.get(name);
      return found == null ? Optional.empty() : Optional.ofNullable(found.resource());
    }
  }

  @Override
  public StoreResult get(String name) {
    return interference
        .before(Operation.GET, name)
        .orElseGet(() -> learn(server.read(name)).toResult());
  }

  @Override
  public StoreResult update(NodeResource original, NodeResource changed) {
    return original.sameSpec(changed)
        ? new StoreResult.Unchanged()
        : write(Operation.UPDATE, changed.name(), () -> server.updateSpec(original, changed));
  }

  @Override
  public StoreResult updateStatus(NodeResource original, NodeResource changed) {
    return original.sameStatus(changed)
        ? new StoreResult.Unchanged()
        : write(
            Operation.UPDATE_STATUS, changed.name(), () -> server.updateStatus(original, changed));
  }

  @Override
  public Watch watch(Watcher watcher) {
    InMemoryWatch started = new InMemoryWatch(this, watched, watcher, scheduler, delay);
    synchronized (lock) {
      if (watch != null) {
        throw new IllegalStateException("this client is watched already; close that watch first");
      }
      watch = started;
    }
    server.subscribe(started);
    return started;
  }

  /** Forgets a watch that ends. */
  void unwatch(InMemoryWatch ended) {
    server.unsubscribe(ended);
    synchronized (lock) {
      if (ended.equals(watch)) {
        watch = null;
      }
    }
  }

  /** Remembers a version and answers the newest one known. */
  Versioned learn(Versioned seen) {
    synchronized (lock) {
      Versioned before = known.get(seen.name());
      if (before != null && before.version() > seen.version()) {
        return before;
      }
      known.put(seen.name(), seen);
      return seen;
    }
  }

  private StoreResult write(Operation operation, String name, Supplier<Written> request) {
    return interference
        .before(operation, name)
        .orElseGet(
            () -> {
              Written written = request.get();
              Versioned stored = written.stored();
              return stored == null ? written.result() : learn(stored).toResult();
            });
  }
}
