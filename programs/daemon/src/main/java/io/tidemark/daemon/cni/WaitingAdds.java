package io.tidemark.daemon.cni;

import io.tidemark.agent.Denial;
import io.tidemark.agent.PoolName;
import io.tidemark.metrics.GaugeValue;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * ADDs for which no address is free: those of one pool are served first come, first served, each
 * until its deadline, and hold no thread. Those of different pools do not wait for each other. One
 * lane calls it, except for {@link #lacking}.
 */
final class WaitingAdds {
  /** How often those that wait look again: a cooldown ends without an event. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  private final Executor lane;
  private final TaskScheduler scheduler;
  private final Duration waitMax;
  private final GaugeValue measured;

  private final Map<Request, Waiting> waiting = new LinkedHashMap<>();

  private boolean looking;
  private volatile Map<PoolName, Integer> lacking = Map.of();

  private record Waiting(Cancellable deadline, Denial why) {
    /** The missing address: the same for all that wait for the same. */
    Object lack() {
      return why.lack().isPresent() ? why.lack().get() : why;
    }
  }

  interface Request {
    /** Tries to allocate; why nothing was allocated, or empty. */
    Optional<Denial> attempt();

    void denied(Denial denial);
  }

  WaitingAdds(Executor lane, TaskScheduler scheduler, Duration waitMax, Meters meters) {
    this.lane = lane;
    this.scheduler = scheduler;
    this.waitMax = waitMax;
    this.measured = meters.gauge(Metric.AGENT_CNI_WAITING);
  }

  /** Serves a request behind those that wait; one that time cannot help is denied at once. */
  void serveOrWait(Request request) {
    serve();
    Optional<Denial> denial = request.attempt();
    if (denial.isEmpty()) {
      return;
    }
    if (!denial.get().retryable()) {
      request.denied(denial.get());
      return;
    }
    lookAgainLater();
    Cancellable deadline =
        scheduler.after(waitMax, () -> lane.execute(() -> waitedTooLong(request)));
    waiting.put(request, new Waiting(deadline, denial.get()));
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
      scheduler.after(LOOK_AGAIN, () -> lane.execute(this::lookAgain));
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
    Set<Object> lacks = new HashSet<>();
    for (Map.Entry<Request, Waiting> each : List.copyOf(waiting.entrySet())) {
      if (!lacks.contains(each.getValue().lack())) {
        Optional<Denial> denial = each.getKey().attempt();
        if (denial.isEmpty()) {
          remove(each.getKey());
        } else {
          Waiting still = new Waiting(each.getValue().deadline(), denial.get());
          waiting.replace(each.getKey(), still);
          lacks.add(still.lack());
        }
      }
    }
    count();
  }

  /** Takes a request out of the queue; whether it was in it. */
  boolean remove(Request request) {
    Waiting removed = waiting.remove(request);
    if (removed == null) {
      return false;
    }
    removed.deadline().cancel();
    changed();
    return true;
  }

  private void changed() {
    count();
    measured.set(waiting.size());
  }

  private void count() {
    Map<PoolName, Integer> counts = new HashMap<>();
    for (Waiting each : waiting.values()) {
      each.why().lack().ifPresent(lack -> counts.merge(lack.pool(), 1, Integer::sum));
    }
    lacking = Map.copyOf(counts);
  }

  /** How many wait for an address of a pool. From any thread. */
  int lacking(PoolName pool) {
    return lacking.getOrDefault(pool, 0);
  }
}
