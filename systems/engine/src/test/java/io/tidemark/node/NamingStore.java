package io.tidemark.node;

import io.tidemark.resource.ForwardingNodeResourceStore;
import io.tidemark.resource.LastWriter;
import io.tidemark.resource.NodeResourceStore;
import java.util.HashMap;
import java.util.Map;

/** A store that knows by name who wrote a pool, as an API server does. */
final class NamingStore extends ForwardingNodeResourceStore {
  private final Map<String, LastWriter> writers = new HashMap<>();

  NamingStore(NodeResourceStore store) {
    super(store);
  }

  Map<String, LastWriter> writers() {
    return writers;
  }

  @Override
  public LastWriter lastWriter(String name) {
    return writers.getOrDefault(name, LastWriter.UNKNOWN);
  }
}
