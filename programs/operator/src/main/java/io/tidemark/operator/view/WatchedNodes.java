package io.tidemark.operator.view;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.ForwardingClusterNodes;
import io.tidemark.cluster.run.ObjectFeed;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A store of nodes whose one watch also tells what was refused of each object, for reports.
 * Thread-safe.
 */
final class WatchedNodes extends ForwardingClusterNodes {
  private final CompletableFuture<ObjectFeed<ClusterNode>> feed = new CompletableFuture<>();

  WatchedNodes(ClusterNodeStore store) {
    super(store);
  }

  /** Problems of one object that cannot be read. */
  List<ResourceProblem> problemsOf(String name) {
    return feed.isDone() ? feed.join().problemsOf(name) : List.of();
  }

  @Override
  public Watch watch(ObjectWatcher<ClusterNode> watcher) {
    ObjectFeed<ClusterNode> made = new ObjectFeed<>(watcher, ClusterNode::name);
    Watch watch = super.watch(made);
    feed.complete(made);
    return watch;
  }
}
