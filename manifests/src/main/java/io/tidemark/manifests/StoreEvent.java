package io.tidemark.manifests;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore.Watcher;
import io.tidemark.resource.ResourceProblem;
import java.util.List;

/** Something a watcher is told. */
sealed interface StoreEvent {
  void tell(Watcher watcher);

  /** An object is new or changed, or can be read again. */
  record Upserted(NodeResource resource) implements StoreEvent {
    @Override
    public void tell(Watcher watcher) {
      watcher.upserted(resource);
    }
  }

  /** An object is gone. */
  record Deleted(String name) implements StoreEvent {
    @Override
    public void tell(Watcher watcher) {
      watcher.deleted(name);
    }
  }

  /** An object cannot be read or written. */
  record Refused(String name, List<ResourceProblem> problems) implements StoreEvent {
    @Override
    public void tell(Watcher watcher) {
      watcher.refused(name, problems);
    }
  }

  /** Everything that existed at the start was told. */
  record Synced() implements StoreEvent {
    @Override
    public void tell(Watcher watcher) {
      watcher.synced();
    }
  }
}
