package io.tidemark.kubernetes.events;

import io.tidemark.cluster.ObjectEvents;
import io.tidemark.error.ErrorCode;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.Cancellable;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a person must mend, as Kubernetes Events that {@code kubectl describe ciliumnode} shows: one
 * per node and reason, in namespace {@code default} as for every object of the whole cluster. It is
 * a warning that counts up while the matter lasts or comes back, and turns normal when it is
 * mended. Thread-safe; never blocks, never throws.
 *
 * <p>Needs {@code create} and {@code patch} of {@code events} there, and for {@link #onLease} in
 * the lease's namespace. Without them, and while the API server is away, what is to be told waits,
 * bounded; the log says so once.
 */
public final class ClusterEvents implements ObjectEvents, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterEvents.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Some per node of a very large cluster's troubled part; about 1 kB each. */
  private static final int MATTERS_MAX = 16_384;

  private final EventPort port;
  private final Function<String, Optional<String>> uids;
  private final EffectRunner effects;
  private final TaskScheduler scheduler;
  private final EventBook book;
  private final Object lock = new Object();
  private @Nullable Cancellable alarm;
  private final Set<String> told = new HashSet<>();
  private boolean toldDropped;
  private boolean closed;

  /** Over any port; {@code mattersMax} as {@link EventBook} has it. */
  ClusterEvents(
      EventPort port,
      Function<String, Optional<String>> uids,
      EffectRunner effects,
      TaskScheduler scheduler,
      int mattersMax) {
    this.port = port;
    this.uids = uids;
    this.effects = effects;
    this.scheduler = scheduler;
    this.book = new EventBook(mattersMax);
  }

  /**
   * Events of a cluster; nothing is asked yet.
   *
   * @param uids of the CiliumNode of that name now; empty when there is none. Must not block
   * @param instance which process says it, such as the identity in the lease
   * @param effects runs the requests, one at a time
   */
  public static ClusterEvents of(
      ClusterConnection cluster,
      Function<String, Optional<String>> uids,
      String instance,
      EffectRunner effects,
      TaskScheduler scheduler) {
    return new ClusterEvents(
        new EventRequests(cluster, instance), uids, effects, scheduler, MATTERS_MAX);
  }

  /**
   * Where what concerns the whole operator is told: on the lease that it works by.
   *
   * @param uid of the lease now; empty when it is not known. Must not block
   */
  public OperatorNotices onLease(String namespace, String name, Supplier<Optional<String>> uid) {
    return (code, detail) ->
        report(EventSubject.lease(namespace, name, uid.get().orElse("")), code, detail);
  }

  @Override
  public void report(String node, ErrorCode code, String detail) {
    report(subject(node), code, detail);
  }

  private void report(EventSubject subject, ErrorCode code, String detail) {
    String message = code.label() + ' ' + detail + ". " + code.remedy();
    boolean lost;
    synchronized (lock) {
      lost = !book.met(subject, reason(code), message, now(), wall()) && !toldDropped;
      toldDropped |= lost;
    }
    if (lost) {
      LOG.warn(
          "More is to be told than Events are kept for; what is new is dropped and is in the log"
              + " and in nodes_stuck alone. kept={}",
          MATTERS_MAX);
    }
    send();
  }

  @Override
  public void cleared(String node, ErrorCode code) {
    EventSubject subject = subject(node);
    synchronized (lock) {
      if (subject.uid().isEmpty()) {
        book.gone(subject, reason(code));
      } else {
        book.mended(subject, reason(code), code.label() + " is mended", now(), wall());
      }
    }
    send();
  }

  /** How many matters were not told because there was no room for them. */
  public long dropped() {
    synchronized (lock) {
      return book.dropped();
    }
  }

  private EventSubject subject(String node) {
    return EventSubject.ciliumNode(node, uids.apply(node).orElse(""));
  }

  /** {@code SUBNET_EXHAUSTED} as {@code SubnetExhausted}, as Events have it. */
  private static String reason(ErrorCode code) {
    StringBuilder text = new StringBuilder();
    for (String word : code.name().split("_", -1)) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }

  private void send() {
    Optional<EventWrite> write;
    synchronized (lock) {
      write = closed ? Optional.empty() : book.take(now(), wall());
      wakeUp();
    }
    write.ifPresent(this::send);
  }

  private void send(EventWrite write) {
    Object unused =
        effects
            .run(
                new EffectSite(
                    write.creates() ? "createEvent" : "patchEvent", write.subject().name()),
                TIMEOUT,
                () -> port.send(write))
            .stage()
            .whenComplete((end, thrown) -> ended(write, thrown == null ? end : failed(thrown)));
  }

  private static EventEnd failed(Throwable thrown) {
    return new EventEnd.Failed(
        new ApiFailure(ApiFailure.Kind.UNKNOWN, String.valueOf(thrown.getMessage())));
  }

  private void ended(EventWrite write, EventEnd end) {
    synchronized (lock) {
      book.ended(write, end, now());
    }
    tell(write, end);
    send();
  }

  /** Says once what keeps Events from being made or changed. */
  private void tell(EventWrite write, EventEnd end) {
    String verb = write.creates() ? "create" : "patch";
    synchronized (lock) {
      if (end instanceof EventEnd.Stored) {
        told.removeIf(each -> each.startsWith(verb));
      }
      if (!(end instanceof EventEnd.Failed failed) || !told.add(verb + failed.failure().kind())) {
        return;
      }
    }
    LOG.warn(
        "Kubernetes Events cannot be written; what can be is tried again. cause={}",
        ((EventEnd.Failed) end).failure().text());
  }

  /** Looks again when something is due; under the lock. */
  private void wakeUp() {
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
    OptionalLong due = book.dueNanos();
    if (!closed && due.isPresent()) {
      alarm = scheduler.at(due.getAsLong(), this::send);
    }
  }

  private long now() {
    return scheduler.time().nanos();
  }

  private long wall() {
    return scheduler.time().epochMillis();
  }

  /** Sends nothing more. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      wakeUp();
    }
  }
}
