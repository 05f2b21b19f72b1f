package io.tidemark.kubernetes.demand;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ExceptionHandler;
import io.tidemark.kubernetes.ApiFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells once what keeps a list or watch from working, and has it tried again. Thread-safe. */
final class WatchTrouble implements ExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(WatchTrouble.class);

  private final String what;
  private final String resource;
  private volatile String told = "";

  /**
   * Of one watch.
   *
   * @param what is watched, for people
   * @param resource plural, as a role names it
   */
  WatchTrouble(String what, String resource) {
    this.what = what;
    this.resource = resource;
  }

  @Override
  public boolean retryAfterException(boolean isStarted, Throwable thrown) {
    String text = text(thrown);
    if (!text.equals(told)) {
      told = text;
      LOG.warn("{} cannot be listed or watched; it is tried again. cause={}", what, text);
    }
    return true;
  }

  private String text(Throwable thrown) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (at instanceof KubernetesClientException e && e.getCode() != 0) {
        return ApiFailure.ofWatch(e, resource).text();
      }
    }
    return String.valueOf(thrown.getMessage());
  }
}
