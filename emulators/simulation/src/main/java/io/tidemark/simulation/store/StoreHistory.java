package io.tidemark.simulation.store;

import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Every version of every object, in the order of the writes: what the API server's watch cache
 * holds, so that a client can be shown an older state. Used by the simulation's thread alone.
 */
public final class StoreHistory {
  private final VirtualTime time;
  private final List<Change> changes = new ArrayList<>();
  private final List<Consumer<Change>> followers = new ArrayList<>();
  private long version;

  private StoreHistory(VirtualTime time) {
    this.time = time;
  }

  /**
   * One write.
   *
   * @param nanos when
   * @param version of the store, rising
   * @param resource null when the object was deleted
   */
  record Change(long nanos, long version, String name, @Nullable NodeResource resource) {}

  /** The history of a store from now on. */
  public static StoreHistory of(InMemoryNodeResourceStore server, VirtualTime time) {
    StoreHistory history = new StoreHistory(time);
    server.client(time).watch(history.new Recorder());
    return history;
  }

  private final class Recorder implements NodeResourceStore.Watcher {
    @Override
    public void upserted(NodeResource resource) {
      add(resource.name(), Long.parseLong(resource.resourceVersion()), resource);
    }

    @Override
    public void deleted(String name) {
      add(name, version + 1, null);
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      throw new IllegalStateException(name + " cannot be read: " + problems);
    }

    @Override
    public void synced() {
      // what existed at the start was delivered
    }
  }

  private void add(String name, long at, @Nullable NodeResource resource) {
    version = at;
    Change change = new Change(time.nanos(), at, name, resource);
    changes.add(change);
    List.copyOf(followers).forEach(follower -> follower.accept(change));
  }

  /** All changes until now, oldest first. */
  List<Change> changes() {
    return changes;
  }

  /** The version of the store that is known now. */
  long version() {
    return version;
  }

  /** Hands each change from now on to {@code follower}. */
  void follow(Consumer<Change> follower) {
    followers.add(follower);
  }

  /** Hands it nothing any more. */
  void leave(Consumer<Change> follower) {
    followers.remove(follower);
  }
}
