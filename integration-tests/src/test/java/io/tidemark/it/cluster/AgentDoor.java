package io.tidemark.it.cluster;

import io.tidemark.resource.NodeResource;

/** What an agent may ask of the API server. Another writer in between is an exception. */
public interface AgentDoor {
  /** The object now. */
  NodeResource node(String name);

  /** Writes the status of this version. */
  void writeStatus(NodeResource changed);
}
