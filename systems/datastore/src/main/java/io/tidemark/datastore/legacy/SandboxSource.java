package io.tidemark.datastore.legacy;

import io.tidemark.datastore.checkpoint.MigrationPhase.Sandbox;
import java.io.IOException;
import java.util.List;

/** The container runtime. May block. */
public interface SandboxSource {
  /** Knows none. */
  SandboxSource NONE = List::of;

  /** The sandboxes that are ready and have a network namespace. */
  List<Sandbox> ready() throws IOException;
}
