package io.tidemark.resource;

import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A client of {@link InMemoryNodeResourceStore} that watches from its beginning and passes on what
 * comes once somebody watches it, as the store over the Kubernetes API does: what it knows by then
 * may be old. Thread-safe.
 */
public final class InMemoryOperatorStore implements NodeResourceStore, AutoCloseable {
  private final InMemoryStoreClient client;
  private final TaskScheduler scheduler;
  private final Watch informed;

  /** Held while the watcher is called, so that calls come one at a time. */
  private final Object delivery = new Object();

  private @Nullable Watcher told;
  private boolean listed;
  private boolean present;

  InMemoryOperatorStore(InMemoryStoreClient client, TaskScheduler scheduler) {
    this.client = client;
    this.scheduler = scheduler;
    this.informed = client.watch(new Relay());
  }

  /** Passes on what comes after the watcher was told what was known. */
  private final class Relay implements Watcher {
    @Override
    public void upserted(NodeResource resource) {
      synchronized (delivery) {
        if (present && told != null) {
          told.upserted(resource);
        }
      }
    }

    @Override
    public void deleted(String name) {
      synchronized (delivery) {
        if (present && told != null) {
          told.deleted(name);
        }
      }
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      synchronized (delivery) {
        if (present && told != null) {
          told.refused(name, problems);
        }
      }
    }

    @Override
    public void synced() {
      synchronized (delivery) {
        listed = true;
        if (present && told != null) {
          told.synced();
        }
      }
    }
  }

  @Override
  public Watch watch(Watcher watcher) {
    synchronized (delivery) {
      if (told != null) {
        throw new IllegalStateException("this client is watched already; close that watch first");
      }
      told = watcher;
    }
    scheduler.at(scheduler.time().nanos(), this::tellKnown);
    return this::end;
  }

  private void tellKnown() {
    synchronized (delivery) {
      Watcher watcher = told;
      if (watcher == null) {
        return;
      }
      for (String name : client.names()) {
        client.latest(name).ifPresent(watcher::upserted);
      }
      present = true;
      if (listed) {
        watcher.synced();
      }
    }
  }

  private void end() {
    synchronized (delivery) {
      told = null;
      present = false;
    }
  }

  /** Ends the watch that began with it; nothing is learned or told any more but by requests. */
  @Override
  public void close() {
    end();
    informed.close();
  }

  @Override
  public Optional<NodeResource> latest(String name) {
    return client.latest(name);
  }

  @Override
  public StoreResult get(String name) {
    return client.get(name);
  }

  @Override
  public StoreResult update(NodeResource original, NodeResource changed) {
    return client.update(original, changed);
  }

  @Override
  public StoreResult updateStatus(NodeResource original, NodeResource changed) {
    return client.updateStatus(original, changed);
  }

  @Override
  public LastWriter lastWriter(String name) {
    return client.lastWriter(name);
  }

  @Override
  public CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    return client.catchUp(effects);
  }
}
