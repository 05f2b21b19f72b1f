package io.tidemark.cluster;

import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Passes on what a watcher of Kubernetes Nodes is to be told: no version that means the same as the
 * one before, such as a heartbeat, and a new incarnation of a name as a deletion and an addition.
 * Not thread-safe: called from one thread at a time.
 */
public final class DistinctNodes implements ObjectWatcher<ClusterNode> {
  private final ObjectWatcher<ClusterNode> watcher;
  private final Map<String, ClusterNode> told = new HashMap<>();
  private final Set<String> refused = new HashSet<>();

  /** In front of {@code watcher}. */
  public DistinctNodes(ObjectWatcher<ClusterNode> watcher) {
    this.watcher = watcher;
  }

  @Override
  public void upserted(ClusterNode node) {
    ClusterNode before = told.put(node.name(), node);
    boolean recovered = refused.remove(node.name());
    boolean follows = before != null && before.uid().equals(node.uid());
    if (before != null && !follows) {
      watcher.deleted(node.name());
    }
    if (recovered || !follows || !node.isSameAs(before)) {
      watcher.upserted(node);
    }
  }

  @Override
  public void deleted(String name) {
    boolean known = told.remove(name) != null;
    if (refused.remove(name) || known) {
      watcher.deleted(name);
    }
  }

  @Override
  public void refused(String name, List<ResourceProblem> problems) {
    refused.add(name);
    watcher.refused(name, problems);
  }

  @Override
  public void synced() {
    watcher.synced();
  }
}
