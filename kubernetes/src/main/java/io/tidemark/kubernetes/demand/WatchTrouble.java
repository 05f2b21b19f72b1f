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
  private volatile String told = "";

  WatchTrouble(String what) {
    this.what = what;
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

  private static String text(Throwable thrown) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (at instanceof KubernetesClientException e && e.getCode() != 0) {
        return ApiFailure.of(e).text();
      }
    }
    return String.valueOf(thrown.getMessage());
  }
}
