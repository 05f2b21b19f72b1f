package io.tidemark.kubernetes;

import io.fabric8.kubernetes.client.informers.ExceptionHandler;
import io.tidemark.error.CoreError;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why one kind of object cannot be listed or watched now, and whether its watch still lives. Each
 * cause is logged once as a warning until a list works again, repeats at DEBUG with their number.
 * The informer always retries. Thread-safe; no lock is held while another is called.
 */
public final class WatchTrouble implements ExceptionHandler, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WatchTrouble.class);

  /** Different causes that are logged as a warning before a list works again. */
  private static final int CAUSES_MAX = 4;

  private final ClusterConnection cluster;
  private final String kind;
  private final Object lock = new Object();
  private final Set<String> causes = new LinkedHashSet<>();
  private final WatchAge age;
  private Optional<String> last = Optional.empty();
  private @Nullable OpenWatch watch;
  private long failures;
  private long interruptions;
  private boolean closed;
  private volatile Runnable beforeList = () -> {};

  /** A watch that the library keeps open. */
  interface OpenWatch {
    /** Whether the server has accepted it and it has not ended since. */
    boolean isOpen();

    /** Ends it, so that the library opens it again from the last version. */
    void renew();

    /** Ends it, so that the library lists everything again and watches from there. */
    void listAgain();
  }

  /**
   * Nothing is wrong yet.
   *
   * @param kind in the plural, such as {@code Pods}; in lower case the name of the resource
   */
  public WatchTrouble(ClusterConnection cluster, String kind) {
    this(cluster, kind, cluster.watches().pace());
  }

  private WatchTrouble(ClusterConnection cluster, String kind, WatchPace pace) {
    this.cluster = cluster;
    this.kind = kind;
    this.age = new WatchAge(pace, cluster.watches().nanos());
    cluster.watches().add(this);
  }

  /** Of objects whose list costs the server too much to be asked for from time to time. */
  public static WatchTrouble withoutLists(ClusterConnection cluster, String kind) {
    return new WatchTrouble(cluster, kind, cluster.watches().pace().withoutLists());
  }

  /** The watched kind, in the plural. */
  public String kind() {
    return kind;
  }

  /** From now on this watch is the one. */
  void watches(OpenWatch opened) {
    synchronized (lock) {
      watch = opened;
    }
  }

  /** {@code action} runs right before each list is asked for, on any thread. */
  public void beforeList(Runnable action) {
    beforeList = action;
  }

  /** The first page of a list is about to be asked for. */
  void lists() {
    beforeList.run();
  }

  /** The watch has ended, and is opened again without a list, or was refused. */
  void interrupted() {
    synchronized (lock) {
      interruptions++;
    }
  }

  /** How often the watch was interrupted; grows. */
  public long interruptions() {
    synchronized (lock) {
      return interruptions;
    }
  }

  /** The server said something on the watch. */
  void heard() {
    long now = cluster.watches().nanos();
    synchronized (lock) {
      age.heard(now);
    }
  }

  /**
   * Looks whether the watch lives; a silent one is opened again, and after some time everything is
   * listed again.
   */
  void look(long now) {
    OpenWatch present;
    synchronized (lock) {
      present = watch;
    }
    if (present == null || isClosed()) {
      return;
    }
    boolean open = present.isOpen();
    WatchAge.Step step;
    synchronized (lock) {
      step = age.look(now, open);
    }
    switch (step) {
      case NOTHING -> {}
      case RENEW -> {
        LOG.info("The watch of {} was silent for too long and is opened again", kind);
        present.renew();
      }
      case LIST -> present.listAgain();
      case LATE -> LOG.warn("{}", late().orElse(""));
      case IN_TIME -> LOG.info("The watch of {} works again", kind);
    }
  }

  /**
   * That the watch is older than its deadline, with the code and what to do; empty while it is not.
   */
  public Optional<String> late() {
    synchronized (lock) {
      if (!age.isLate()) {
        return Optional.empty();
      }
    }
    CoreError code = CoreError.WATCH_LATE;
    return Optional.of(
        code.label()
            + " "
            + code
            + ": the watch of "
            + kind
            + " has given no sign of life for "
            + age().orElse(Duration.ZERO).toSeconds()
            + " seconds, so changes of them are not known"
            + last().map(cause -> " (" + cause + ")").orElse("")
            + ". "
            + code.remedy());
  }

  /** The time since the last sign of life; empty for a watch that was never open. */
  public Optional<Duration> age() {
    long now = cluster.watches().nanos();
    synchronized (lock) {
      return age.isKnown() ? Optional.of(age.at(now)) : Optional.empty();
    }
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
    long now = cluster.watches().nanos();
    synchronized (lock) {
      age.listed(now);
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
    cluster.watches().remove(this);
  }
}
