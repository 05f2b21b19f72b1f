package io.tidemark.kubernetes;

import io.fabric8.kubernetes.client.informers.ExceptionHandler;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why one kind of object cannot be listed or watched now. Each cause is logged once as a warning
 * until a list works again, repeats at DEBUG with their number. The informer always retries.
 * Thread-safe.
 */
public final class WatchTrouble implements ExceptionHandler, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WatchTrouble.class);

  /** Different causes that are logged as a warning before a list works again. */
  private static final int CAUSES_MAX = 4;

  private final ClusterConnection cluster;
  private final String kind;
  private final Object lock = new Object();
  private final Set<String> causes = new LinkedHashSet<>();
  private Optional<String> last = Optional.empty();
  private long failures;
  private boolean closed;

  /**
   * Nothing is wrong yet.
   *
   * @param kind in the plural, such as {@code Pods}; in lower case the name of the resource
   */
  public WatchTrouble(ClusterConnection cluster, String kind) {
    this.cluster = cluster;
    this.kind = kind;
  }

  @Override
  public boolean retryAfterException(boolean isStarted, Throwable thrown) {
    if (!isClosed()) {
      failed(cause(thrown));
    }
    return true; // a stopped informer does not retry, and on false the library logs an error
  }

  private ApiFailure cause(Throwable thrown) {
    ApiFailure failure = cluster.watchFailure(thrown, kind.toLowerCase(Locale.ROOT));
    return failure.kind() == ApiFailure.Kind.NOT_FOUND
        ? new ApiFailure(
            failure.kind(),
            "the API server has no " + kind + ". Install its CustomResourceDefinition first.")
        : failure;
  }

  private void failed(ApiFailure failure) {
    boolean isNew;
    long count;
    synchronized (lock) {
      last = Optional.of(failure.text());
      count = ++failures;
      isNew = !failure.isLoggedApart() && causes.size() < CAUSES_MAX && causes.add(failure.text());
    }
    if (isNew) {
      LOG.warn("{} cannot be listed or watched; retrying. cause={}", kind, failure.text());
    } else {
      LOG.debug(
          "{} still cannot be listed or watched. failures={} cause={}",
          kind,
          count,
          failure.text());
    }
  }

  /** A list worked. */
  public void works() {
    long count;
    boolean warned;
    synchronized (lock) {
      last = Optional.empty();
      count = failures;
      warned = !causes.isEmpty();
      failures = 0;
      causes.clear();
    }
    if (warned) {
      LOG.info("{} can be listed again. failures={}", kind, count);
    }
  }

  /** The last failure, for people; empty when a list worked after it. */
  public Optional<String> last() {
    synchronized (lock) {
      return last;
    }
  }

  private boolean isClosed() {
    synchronized (lock) {
      return closed;
    }
  }

  /**
   * Nothing is logged any more. A list request that is in flight cannot be cancelled: it fails
   * seconds after the informer was stopped.
   */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
    }
  }
}
