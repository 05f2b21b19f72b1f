package io.tidemark.program.endpoint;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** The health and status of a running program. Thread-safe. */
public interface Probes {
  /** The reasons why it makes no progress, one sentence each; empty if it does. Never blocks. */
  List<String> unhealthy();

  /**
   * The reasons why it is not ready, such as a missing store, cloud or permission, one sentence
   * each; empty if it is ready. Never blocks.
   */
  List<String> unready();

  /**
   * Writes its status and that of its nodes as JSON; can block for a while.
   *
   * @throws IOException if the client disconnected
   */
  void status(OutputStream out) throws IOException;
}
