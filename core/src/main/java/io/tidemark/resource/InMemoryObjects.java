package io.tidemark.resource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind in an API server in memory, and who watches them. Versions are one
 * increasing number over all objects. Thread-safe; the lock is held for a few map operations.
 *
 * @param <T> the object, immutable
 */
public final class InMemoryObjects<T> {
  private final BiFunction<T, String, T> withVersion;
  private final Object lock = new Object();
  private final Map<String, Versioned<T>> objects = new HashMap<>();
  private final List<InMemoryView<T>> watchingAll = new ArrayList<>();
  private final Map<String, List<InMemoryView<T>>> watchingOne = new HashMap<>();
  private List<InMemoryView<T>> told = new ArrayList<>();
  private long version;

  /** Without objects; {@code withVersion} makes an object that carries a version. */
  public InMemoryObjects(BiFunction<T, String, T> withVersion) {
    this.withVersion = withVersion;
  }

  /** An object, or null for the fact that there is none, at one version of the server. */
  public record Versioned<T>(long version, String name, @Nullable T object) {
    /** The object; empty when there is none. */
    public Optional<T> found() {
      return Optional.ofNullable(object);
    }
  }

  /** Every object of one moment by name, and the version of that moment. */
  record Listed<T>(long version, List<Versioned<T>> objects) {}

  /** Runs a step that no other one interleaves; then schedules the deliveries of its changes. */
  public <R> R atomically(Supplier<R> step) {
    R end;
    List<InMemoryView<T>> scheduled;
    synchronized (lock) {
      end = step.get();
      scheduled = told;
      told = new ArrayList<>();
    }
    scheduled.forEach(InMemoryView::schedule);
    return end;
  }

  /** Stores an object in a new version, which watches show; part of a step. */
  public Versioned<T> put(String name, T object) {
    Versioned<T> stored = restore(name, object);
    announce(stored);
    return stored;
  }

  /** Stores an object in a new version of which no watch tells; part of a step. */
  public Versioned<T> restore(String name, T object) {
    synchronized (lock) {
      version++;
      T stored = withVersion.apply(object, Long.toString(version));
      Versioned<T> versioned = new Versioned<>(version, name, stored);
      objects.put(name, versioned);
      return versioned;
    }
  }

  /** Removes an object; false when there is none of that name. */
  public boolean remove(String name) {
    return atomically(
        () -> {
          boolean found = objects.remove(name) != null;
          if (found) {
            announce(new Versioned<>(++version, name, null));
          }
          return found;
        });
  }

  /** Begins each watch again with these, which a server that lags may hold. */
  public void relist(List<Versioned<T>> shown) {
    atomically(
        () -> {
          watchingAll.forEach(view -> view.offerList(shown));
          return told.addAll(watchingAll);
        });
  }

  /** The version of the last change. */
  public long version() {
    synchronized (lock) {
      return version;
    }
  }

  /** The object, or that there is none now. */
  public Versioned<T> read(String name) {
    synchronized (lock) {
      Versioned<T> found = objects.get(name);
      return found == null ? new Versioned<>(version, name, null) : found;
    }
  }

  /** The object; empty when there is none. */
  public Optional<T> find(String name) {
    return read(name).found();
  }

  /** All objects, by name. */
  public List<Versioned<T>> all() {
    return list().objects();
  }

  Listed<T> list() {
    synchronized (lock) {
      return new Listed<>(version, List.copyOf(new TreeMap<>(objects).values()));
    }
  }

  /** Shows the view what there is, and from now on what changes. */
  void subscribe(InMemoryView<T> view, Optional<String> name) {
    atomically(
        () -> {
          if (name.isEmpty()) {
            watchingAll.add(view);
            view.offerList(all());
          } else {
            watchingOne.computeIfAbsent(name.get(), any -> new ArrayList<>(1)).add(view);
            Versioned<T> found = objects.get(name.get());
            view.offerList(found == null ? List.of() : List.of(found));
          }
          return told.add(view);
        });
  }

  void unsubscribe(InMemoryView<T> view, Optional<String> name) {
    synchronized (lock) {
      if (name.isEmpty()) {
        watchingAll.remove(view);
        return;
      }
      watchingOne.computeIfPresent(
          name.get(),
          (any, views) -> {
            views.remove(view);
            return views.isEmpty() ? null : views;
          });
    }
  }

  private void announce(Versioned<T> change) {
    synchronized (lock) {
      int before = told.size();
      told.addAll(watchingAll);
      told.addAll(watchingOne.getOrDefault(change.name(), List.of()));
      for (InMemoryView<T> view : told.subList(before, told.size())) {
        if (!view.offer(change)) {
          view.offerList(all());
        }
      }
    }
  }
}
