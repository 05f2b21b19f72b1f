package io.tidemark.engine;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the watch of the store on to the engine and remembers what was refused, for reports.
 * Thread-safe.
 */
final class NodeFeed implements NodeResourceStore.Watcher {
  private static final Logger LOG = LoggerFactory.getLogger(NodeFeed.class);

  private final NodeResourceStore.Watcher engine;
  private final Map<String, List<ResourceProblem>> refused = new ConcurrentHashMap<>();
  private final CompletableFuture<Void> synced = new CompletableFuture<>();

  NodeFeed(NodeResourceStore.Watcher engine) {
    this.engine = engine;
  }

  /** Ends when every object that existed at the start was delivered. */
  CompletionStage<Void> syncedStage() {
    return synced.minimalCompletionStage();
  }

  /** What cannot be read of one object. */
  List<ResourceProblem> problemsOf(String name) {
    return refused.getOrDefault(name, List.of());
  }

  @Override
  public void upserted(NodeResource resource) {
    refused.remove(resource.name());
    engine.upserted(resource);
  }

  @Override
  public void deleted(String name) {
    refused.remove(name);
    engine.deleted(name);
  }

  @Override
  public void refused(String name, List<ResourceProblem> problems) {
    List<ResourceProblem> before = refused.put(name, List.copyOf(problems));
    if (!problems.equals(before)) {
      for (ResourceProblem each : problems) {
        LOG.warn(
            "An object was refused. object={} path={} problem={} remedy={}",
            each.where(),
            each.path(),
            each.problem(),
            each.remedy());
      }
    }
    engine.refused(name, problems);
  }

  @Override
  public void synced() {
    engine.synced();
    synced.complete(null);
  }
}
