package io.tidemark.metrics;

import java.time.Duration;

/** Measurements of the calls of the node's network plugin. Thread-safe; never blocks. */
public interface RpcMetrics {
  /**
   * A call has ended.
   *
   * @param method its name without the service, such as {@code AddNetwork}
   * @param code that of gRPC, such as {@code OK}
   * @param took from its beginning to its answer
   */
  void answered(String method, String code, Duration took);

  /** The plugin asks for an address. */
  void addRequested();

  /**
   * The plugin gives an address back.
   *
   * @param reason its word for why; of a word that it is not known to use, {@code other}
   */
  void delRequested(String reason);
}
