package io.tidemark.simulation.store;

import io.tidemark.resource.CatchUp;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.NodeResourceStore.Watcher;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.StoreResult;
import io.tidemark.simulation.store.StoreHistory.Change;
import io.tidemark.time.VirtualProcess;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * One process's knowledge of the store when its watch does not show everything. As the port
 * requires, it never goes back to a version older than one it has shown or was answered.
 */
final class StoreView {
  /** Hears nothing: the line learns who wrote what, and the process sees the view alone. */
  static final Watcher UNTOLD =
      new Watcher() {
        @Override
        public void upserted(NodeResource resource) {}

        @Override
        public void deleted(String name) {}

        @Override
        public void refused(String name, List<ResourceProblem> problems) {}

        @Override
        public void synced() {}
      };

  private final StoreHistory history;
  private final Sight sight;
  private final VirtualProcess process;
  private final DeliveryDelay delay;
  private final Map<String, Change> known = new HashMap<>();
  private long lastDueNanos;
  private int events;

  StoreView(StoreHistory history, Sight sight, VirtualProcess process, DeliveryDelay delay) {
    this.history = history;
    this.sight = sight;
    this.process = process;
    this.delay = delay;
  }

  /** How many events were shown until now, the hidden one included. */
  int events() {
    return events;
  }

  Optional<NodeResource> latest(String name) {
    return Optional.ofNullable(known.get(name)).flatMap(it -> Optional.ofNullable(it.resource()));
  }

  List<String> names() {
    return known.keySet().stream().filter(name -> latest(name).isPresent()).toList();
  }

  /** The process was answered this. */
  void answered(String name, StoreResult result) {
    long now = process.time().nanos();
    if (result instanceof StoreResult.Stored stored) {
      NodeResource resource = stored.resource();
      learn(new Change(now, Long.parseLong(resource.resourceVersion()), name, resource));
    } else if (result instanceof StoreResult.NotFound) {
      learn(new Change(now, history.version(), name, null));
    }
  }

  /** The process has listed everything again, with {@code read}. */
  CatchUp caughtUp(CatchUp end, NodeResourceStore read) {
    if (end instanceof CatchUp.Done) {
      Set<String> names = new TreeSet<>(known.keySet());
      history.changes().forEach(each -> names.add(each.name()));
      for (String name : names) {
        answered(
            name,
            read.latest(name)
                .<StoreResult>map(StoreResult.Stored::new)
                .orElseGet(StoreResult.NotFound::new));
      }
    }
    return end;
  }

  private boolean learn(Change change) {
    Change before = known.get(change.name());
    if (before != null && before.version() > change.version()) {
      return false;
    }
    known.put(change.name(), change);
    return true;
  }

  Watch watch(Watcher watcher) {
    return new Running(watcher).begin();
  }

  /** A watch that has not ended. */
  private final class Running implements Watch, Consumer<Change> {
    private final Watcher watcher;
    private final Set<String> told = new HashSet<>();
    private boolean closed;

    Running(Watcher watcher) {
      this.watcher = watcher;
    }

    Running begin() {
      long now = process.time().nanos();
      lastDueNanos = now;
      int listed = sight.listed(history, now);
      TreeMap<String, Change> first = new TreeMap<>();
      history.changes().subList(0, listed).forEach(each -> first.put(each.name(), each));
      at(delay.nanos(), () -> list(first));
      for (Change missing : history.changes().subList(listed, history.changes().size())) {
        deliver(missing, sight.catchesUp().toNanos());
      }
      history.follow(this);
      if (sight.hidden() > 0) {
        process.at(sight.listsAnew().toNanos(), this::listAnew);
      }
      return this;
    }

    @Override
    public void accept(Change change) {
      deliver(change, delay.nanos());
    }

    private void list(Map<String, Change> first) {
      first.values().forEach(StoreView.this::learn);
      for (Change each : new TreeMap<>(known).values()) {
        show(each);
      }
      if (!closed) {
        watcher.synced();
      }
    }

    private void listAnew() {
      TreeMap<String, Change> now = new TreeMap<>();
      history.changes().forEach(each -> now.put(each.name(), each));
      for (Change each : now.values()) {
        Change before = known.get(each.name());
        if (before == null || before.version() < each.version()) {
          show(each);
        }
      }
    }

    private void deliver(Change change, long afterNanos) {
      at(afterNanos, () -> arrived(change));
    }

    private void arrived(Change change) {
      if (++events != sight.hidden()) {
        show(change);
      }
    }

    private void show(Change change) {
      if (closed) {
        return;
      }
      boolean news = learn(change);
      NodeResource resource = change.resource();
      if (resource == null && told.remove(change.name()) && latest(change.name()).isEmpty()) {
        // A reader may have found it gone before; the watcher has not.
        watcher.deleted(change.name());
      } else if (resource != null && news) {
        told.add(change.name());
        watcher.upserted(resource);
      }
    }

    /** In the order of the calls. */
    private void at(long afterNanos, Runnable task) {
      lastDueNanos = Math.max(lastDueNanos, process.time().nanos() + afterNanos);
      process.at(lastDueNanos, task);
    }

    @Override
    public void close() {
      closed = true;
      history.leave(this);
    }
  }
}
