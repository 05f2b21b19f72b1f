package io.tidemark.daemon.cni;

import io.tidemark.agent.Denial;
import io.tidemark.metrics.CniMetrics;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * ADDs for which no address is free: they are served first come, first served, each until its
 * deadline, and hold no thread. One lane calls it, except for {@link #size}.
 */
final class WaitingAdds {
  /** How often those that wait look again: a cooldown ends without an event. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  private final Executor lane;
  private final TaskScheduler scheduler;
  private final Duration waitMax;
  private final CniMetrics metrics;

  /** With the deadline of each, in the order of arrival. */
  private final Map<Request, Cancellable> waiting = new LinkedHashMap<>();

  private boolean looking;
  private volatile int size;

  /** An ADD. */
  interface Request {
    /** Tries to allocate; why nothing was allocated, or empty. */
    Optional<Denial> attempt();

    /** It ends without an address. */
    void denied(Denial denial);
  }

  /**
   * None waits.
   *
   * @param waitMax how long one waits
   */
  WaitingAdds(Executor lane, TaskScheduler scheduler, Duration waitMax, CniMetrics metrics) {
    this.lane = lane;
    this.scheduler = scheduler;
    this.waitMax = waitMax;
    this.metrics = metrics;
  }

  /** Serves a request behind those that wait; one that time cannot help is denied at once. */
  void serveOrWait(Request request) {
    if (waiting.isEmpty()) {
      Optional<Denial> denial = request.attempt();
      if (denial.isEmpty()) {
        return;
      }
      if (!denial.get().retryable()) {
        request.denied(denial.get());
        return;
      }
      lookAgainLater();
    }
    waiting.put(
        request, scheduler.after(waitMax, () -> lane.execute(() -> waitedTooLong(request))));
    changed();
  }

  private void waitedTooLong(Request request) {
    if (remove(request)) {
      request.attempt().ifPresent(request::denied);
    }
  }

  private void lookAgainLater() {
    if (!looking) {
      looking = true;
      Object unused = scheduler.after(LOOK_AGAIN, () -> lane.execute(this::lookAgain));
    }
  }

  private void lookAgain() {
    looking = false;
    serve();
    if (!waiting.isEmpty()) {
      lookAgainLater();
    }
  }

  /** An address may have become free. */
  void serve() {
    while (!waiting.isEmpty()) {
      Request first = waiting.keySet().iterator().next();
      if (first.attempt().isPresent()) {
        return;
      }
      remove(first);
    }
  }

  /** Takes a request out of the queue; whether it was in it. */
  boolean remove(Request request) {
    Cancellable deadline = waiting.remove(request);
    if (deadline == null) {
      return false;
    }
    deadline.cancel();
    changed();
    return true;
  }

  private void changed() {
    size = waiting.size();
    metrics.waiting(size);
  }

  /** How many wait. From any thread. */
  int size() {
    return size;
  }
}
