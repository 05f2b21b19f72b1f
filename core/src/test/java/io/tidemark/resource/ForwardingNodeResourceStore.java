package io.tidemark.resource;

import io.tidemark.time.EffectRunner;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Passes everything on to another store; a subclass changes a part. */
public class ForwardingNodeResourceStore implements NodeResourceStore {
  private final NodeResourceStore store;

  /** In front of {@code store}. */
  protected ForwardingNodeResourceStore(NodeResourceStore store) {
    this.store = store;
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

  @Override
  public LastWriter lastWriter(String name) {
    return store.lastWriter(name);
  }

  @Override
  public CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    return store.catchUp(effects);
  }

  @Override
  public long interruptions() {
    return store.interruptions();
  }
}
