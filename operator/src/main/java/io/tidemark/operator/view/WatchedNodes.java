package io.tidemark.operator.view;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.run.ObjectFeed;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.EffectRunner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store of nodes whose one watch also tells what was refused of each object, for reports, and
 * when all were delivered. Thread-safe.
 */
final class WatchedNodes implements ClusterNodeStore {
  private final ClusterNodeStore store;
  private final CompletableFuture<ObjectFeed<ClusterNode>> feed = new CompletableFuture<>();

  WatchedNodes(ClusterNodeStore store) {
    this.store = store;
  }

  /** Ends when the watch has begun and every object that existed then was delivered. */
  CompletionStage<Void> synced() {
    return feed.thenCompose(ObjectFeed::syncedStage);
  }

  /** What cannot be read of one object. */
  List<ResourceProblem> problemsOf(String name) {
    return feed.isDone() ? feed.join().problemsOf(name) : List.of();
  }

  @Override
  public Watch watch(ObjectWatcher<ClusterNode> watcher) {
    ObjectFeed<ClusterNode> made = new ObjectFeed<>(watcher, ClusterNode::name);
    Watch watch = store.watch(made);
    feed.complete(made);
    return watch;
  }

  @Override
  public Optional<ClusterNode> latest(String name) {
    return store.latest(name);
  }

  @Override
  public List<String> names() {
    return store.names();
  }

  @Override
  public Reading get(String name) {
    return store.get(name);
  }

  @Override
  public NodeChange assignPodCidrs(String name, String uid, List<Cidr> cidrs) {
    return store.assignPodCidrs(name, uid, cidrs);
  }

  @Override
  public NodeChange networkAvailable(String name, String uid) {
    return store.networkAvailable(name, uid);
  }

  @Override
  public NodeChange annotate(ClusterNode seen, Map<String, String> annotations) {
    return store.annotate(seen, annotations);
  }

  @Override
  public CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    return store.catchUp(effects);
  }
}
