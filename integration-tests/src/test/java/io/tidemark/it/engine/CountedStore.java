package io.tidemark.it.engine;

import io.tidemark.resource.ForwardingNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what the engine asks of its store. Thread-safe. */
final class CountedStore extends ForwardingNodeResourceStore {
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger stored = new AtomicInteger();
  private final AtomicInteger conflicts = new AtomicInteger();

  CountedStore(NodeResourceStore store) {
    super(store);
  }

  /** Reads of an object. */
  int reads() {
    return reads.get();
  }

  /** Writes of a status or spec that were asked for and said something new, however they ended. */
  int writes() {
    return writes.get();
  }

  /** Writes that changed an object. */
  int stored() {
    return stored.get();
  }

  /** Writes that found a newer object. */
  int conflicts() {
    return conflicts.get();
  }

  private StoreResult counted(StoreResult result) {
    if (!(result instanceof StoreResult.Unchanged)) {
      writes.incrementAndGet();
    }
    if (result instanceof StoreResult.Stored) {
      stored.incrementAndGet();
    } else if (result instanceof StoreResult.Conflict) {
      conflicts.incrementAndGet();
    }
    return result;
  }

  @Override
  public StoreResult get(String name) {
    reads.incrementAndGet();
    return super.get(name);
  }

  @Override
  public StoreResult create(NodeResource resource) {
    return counted(super.create(resource));
  }

  @Override
  public StoreResult update(NodeResource original, NodeResource changed) {
    return counted(super.update(original, changed));
  }

  @Override
  public StoreResult updateStatus(NodeResource original, NodeResource changed) {
    return counted(super.updateStatus(original, changed));
  }

  @Override
  public String toString() {
    return writes
        + " writes, of them "
        + stored
        + " stored and "
        + conflicts
        + " conflicts, and "
        + reads
        + " reads";
  }
}
