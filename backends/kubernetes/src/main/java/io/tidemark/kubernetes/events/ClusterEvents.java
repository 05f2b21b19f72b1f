package io.tidemark.kubernetes.events;

import io.tidemark.cluster.EventWording;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports problems that need human action as Kubernetes Events, which {@code kubectl describe}
 * shows: one per object and problem, in namespace {@code default} for cluster-scoped objects. An
 * Event is a warning that counts up while the problem lasts or comes back, and becomes normal when
 * it is solved. Thread-safe; never blocks, never throws.
 *
 * <p>Needs {@code create} and {@code patch} of {@code events} there, and for {@link #onLease} in
 * the lease's namespace. Without them, and while the API server is unavailable, reports wait in a
 * bounded queue; the log says so once.
 */
public final class ClusterEvents implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterEvents.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Enough for a very large cluster where many nodes have problems; about 1 kB each. */
  private static final int PROBLEMS_MAX = 16_384;

  private final Function<EventWrite, EventEnd> request;
  private final EffectRunner effects;
  private final TaskScheduler scheduler;
  private final EventBook book;
  private final Object lock = new Object();
  private @Nullable Cancellable alarm;
  private final Set<String> logged = new HashSet<>();
  private boolean loggedDropped;
  private boolean closed;

  /** {@code request} blocks for one request; {@code problemsMax} as in {@link EventBook}. */
  ClusterEvents(
      Function<EventWrite, EventEnd> request,
      EffectRunner effects,
      TaskScheduler scheduler,
      int problemsMax) {
    this.request = request;
    this.effects = effects;
    this.scheduler = scheduler;
    this.book = new EventBook(problemsMax);
  }

  /**
   * Events of a cluster; nothing is sent yet.
   *
   * @param instance the reporting process, such as the identity in the lease
   * @param effects runs the requests, one at a time
   */
  public static ClusterEvents of(
      ClusterConnection cluster, String instance, EffectRunner effects, TaskScheduler scheduler) {
    return new ClusterEvents(
        new EventRequests(cluster, instance)::send, effects, scheduler, PROBLEMS_MAX);
  }

  /**
   * Reports on CiliumNodes.
   *
   * @param uids the uid of the object of that name now; empty when there is none. Must not block
   */
  public ObjectEvents onCiliumNodes(Function<String, Optional<String>> uids) {
    return on(
        name -> EventSubject.ciliumNode(name, uids.apply(name).orElse("")), EventWording.USUAL);
  }

  /**
   * Reports on Nodes.
   *
   * @param uids as for {@link #onCiliumNodes}
   * @param wording how the Events read
   */
  public ObjectEvents onNodes(Function<String, Optional<String>> uids, EventWording wording) {
    return on(name -> EventSubject.node(name, uids.apply(name).orElse("")), wording);
  }

  /**
   * Reports what concerns the whole operator on its lease.
   *
   * @param uid of the lease now; empty when it is not known. Must not block
   */
  public OperatorNotices onLease(String namespace, String name, Supplier<Optional<String>> uid) {
    return (code, detail) ->
        report(
            EventSubject.lease(namespace, name, uid.get().orElse("")),
            EventWording.USUAL,
            code,
            detail);
  }

  private ObjectEvents on(Function<String, EventSubject> subject, EventWording wording) {
    return new ObjectEvents() {
      @Override
      public void report(String object, ErrorCode code, String detail) {
        ClusterEvents.this.report(subject.apply(object), wording, code, detail);
      }

      @Override
      public void cleared(String object, ErrorCode code) {
        ClusterEvents.this.cleared(subject.apply(object), wording, code);
      }
    };
  }

  private void report(EventSubject subject, EventWording wording, ErrorCode code, String detail) {
    ProblemKind kind = ProblemKind.of(code, wording);
    String message = wording.open(subject.name(), code, detail);
    boolean lost;
    synchronized (lock) {
      lost = !book.met(subject, kind, message, now(), wall()) && !loggedDropped;
      loggedDropped |= lost;
    }
    if (lost) {
      LOG.warn(
          "Too many problems for Kubernetes Events: new ones are dropped, and are only in the log and"
              + " in nodes_stuck. kept={}",
          PROBLEMS_MAX);
    }
    send();
  }

  private void cleared(EventSubject subject, EventWording wording, ErrorCode code) {
    ProblemKind kind = ProblemKind.of(code, wording);
    synchronized (lock) {
      if (subject.uid().isEmpty()) {
        book.gone(subject, kind);
      } else {
        book.solved(subject, kind, wording.solved(subject.name(), code), now(), wall());
      }
    }
    send();
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
    effects
        .run(
            new EffectSite(write.creates() ? "createEvent" : "patchEvent", write.subject().name()),
            TIMEOUT,
            () -> request.apply(write))
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
    log(write, end);
    send();
  }

  /** Logs once why Events cannot be created or changed. */
  private void log(EventWrite write, EventEnd end) {
    String verb = write.creates() ? "create" : "patch";
    synchronized (lock) {
      if (end instanceof EventEnd.Stored) {
        logged.removeIf(each -> each.startsWith(verb));
      }
      if (!(end instanceof EventEnd.Failed failed) || !logged.add(verb + failed.failure().kind())) {
        return;
      }
    }
    LOG.warn(
        "Kubernetes Events cannot be written; retrying where that can help. cause={}",
        ((EventEnd.Failed) end).failure().text());
  }

  /** Wakes up when something is due; called under the lock. */
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
