package io.tidemark.kubernetes.demand;

import io.fabric8.kubernetes.client.informers.ExceptionHandler;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.TroubleLog;

/** Tells once what keeps a list or watch from working, and has it tried again. Thread-safe. */
final class WatchTrouble implements ExceptionHandler {
  private final ClusterConnection cluster;
  private final String resource;
  private final TroubleLog log;

  /**
   * Of one watch.
   *
   * @param what is watched, for people
   * @param resource plural, as a role names it
   */
  WatchTrouble(ClusterConnection cluster, String what, String resource) {
    this.cluster = cluster;
    this.resource = resource;
    this.log = new TroubleLog(what);
  }

  @Override
  public boolean retryAfterException(boolean isStarted, Throwable thrown) {
    log.failed(cluster.watchFailure(thrown, resource));
    return true;
  }

  /** Everything was listed. */
  void works() {
    log.works();
  }
}
