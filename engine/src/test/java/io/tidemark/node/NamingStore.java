package io.tidemark.node;

import io.tidemark.resource.LastWriter;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A store that knows by name who wrote a pool, as an API server does. */
record NamingStore(NodeResourceStore store, Map<String, LastWriter> writers)
    implements NodeResourceStore {
  NamingStore(NodeResourceStore store) {
    this(store, new HashMap<>());
  }

  @Override
  public LastWriter lastWriter(String name) {
    return writers.getOrDefault(name, LastWriter.UNKNOWN);
  }

  @Override
  public Optional<NodeResource> latest(String name) {
    return store.latest(name);
  }

  @Override
  public List<String> names() {
    return store.names();
  }

  @Override
  public StoreResult get(String name) {
    return store.get(name);
  }

  @Override
  public StoreResult create(NodeResource resource) {
    return store.create(resource);
  }

  @Override
  public StoreResult update(NodeResource original, NodeResource changed) {
    return store.update(original, changed);
  }

  @Override
  public StoreResult updateStatus(NodeResource original, NodeResource changed) {
    return store.updateStatus(original, changed);
  }

  @Override
  public Watch watch(Watcher watcher) {
    return store.watch(watcher);
  }
}
