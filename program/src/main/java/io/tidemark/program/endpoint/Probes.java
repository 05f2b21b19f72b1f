package io.tidemark.program.endpoint;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** What a running operator says of itself. Thread-safe. */
public interface Probes {
  /** Why it makes no progress, a sentence each; empty when it does. Never blocks. */
  List<String> unhealthy();

  /**
   * Why nodes, cloud or permission to change it are missing, a sentence each; empty when it works.
   * Never blocks.
   */
  List<String> unready();

  /**
   * Writes how it and its nodes stand, as JSON; may block for a while.
   *
   * @throws IOException when the reader is gone
   */
  void status(OutputStream out) throws IOException;
}
