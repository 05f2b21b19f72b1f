package io.tidemark.kubernetes;

import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs that something of the API server cannot be read: each cause once as a warning until it works
 * again, repeats at DEBUG with their number, then once that it works. Thread-safe.
 */
public final class TroubleLog {
  private static final Logger LOG = LoggerFactory.getLogger(TroubleLog.class);

  /** Causes of one trouble that are worth a warning each. */
  private static final int CAUSES_MAX = 4;

  private final String what;
  private final Set<String> causes = new LinkedHashSet<>();
  private long failures;

  /**
   * Nothing is wrong yet.
   *
   * @param what cannot be listed or watched, in the plural, such as {@code Pods}
   */
  public TroubleLog(String what) {
    this.what = what;
  }

  /** A list or watch failed. */
  public void failed(ApiFailure failure) {
    boolean news;
    long count;
    synchronized (causes) {
      count = ++failures;
      news = !failure.isLoggedApart() && causes.size() < CAUSES_MAX && causes.add(failure.text());
    }
    if (news) {
      LOG.warn("{} cannot be listed or watched; it is tried again. cause={}", what, failure.text());
    } else {
      LOG.debug(
          "{} still cannot be listed or watched. failures={} cause={}",
          what,
          count,
          failure.text());
    }
  }

  /** A list worked. */
  public void works() {
    long count;
    boolean warned;
    synchronized (causes) {
      count = failures;
      warned = !causes.isEmpty();
      failures = 0;
      causes.clear();
    }
    if (warned) {
      LOG.info("{} can be listed again. failures={}", what, count);
    }
  }
}
