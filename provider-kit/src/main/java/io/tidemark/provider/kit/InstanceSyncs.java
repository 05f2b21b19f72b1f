package io.tidemark.provider.kit;

import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads of single instances, many in one request. A request for an instance goes out at once while
 * nothing is on the way; otherwise it waits for the answer, or {@link #GATHER}, and goes with those
 * that came meanwhile. A batch without an answer is split, so one instance cannot spoil the reads
 * of others.
 *
 * <p>Thread-safe: a short lock around the queue, never held while anything else runs.
 *
 * @param <F> what a read answers
 */
public final class InstanceSyncs<F> {
  /** Instances in one request. */
  public static final int BATCH_MAX = 200;

  /** Requests without an answer yet. */
  public static final int ON_THE_WAY_MAX = 4;

  /** How long a request waits for others to join. */
  public static final Duration GATHER = Duration.ofMillis(50);

  private final TaskScheduler scheduler;
  private final Supplier<ReadMark> beginRead;
  private final Source<F> source;
  private final Cancellation shutdown;
  private final Object lock = new Object();
  private final Map<InstanceId, List<Waiter>> queued = new LinkedHashMap<>();
  private int onTheWay;
  private boolean timerArmed;

  /** The cloud's side of a read. Called without a lock held. */
  public interface Source<F> {
    /** Asks for some instances in one request. */
    CompletionStage<CallResult<F>> read(Set<InstanceId> ids, CallContext context);

    /** Takes the answer in; says for each of the instances what became of its read. */
    CompletionStage<Map<InstanceId, SyncOutcome>> accept(
        ReadMark mark, Set<InstanceId> ids, F found, CallContext context);
  }

  /** Somebody who wants to know. */
  private record Waiter(CallContext context, CompletableFuture<SyncOutcome> answer) {}

  private record Batch(Map<InstanceId, List<Waiter>> waiters, ReadMark mark) {}

  /**
   * Nothing is under way yet.
   *
   * @param beginRead called before each request
   * @param shutdown ends what waits and what is under way
   */
  public InstanceSyncs(
      TaskScheduler scheduler,
      Supplier<ReadMark> beginRead,
      Source<F> source,
      Cancellation shutdown) {
    this.scheduler = scheduler;
    this.beginRead = beginRead;
    this.source = source;
    this.shutdown = shutdown;
  }

  /** Reads one instance, with others when they come together; ends by the context's deadline. */
  public CompletionStage<SyncOutcome> sync(InstanceId id, CallContext context) {
    Waiter waiter = new Waiter(context, new CompletableFuture<>());
    synchronized (lock) {
      queued.computeIfAbsent(id, key -> new ArrayList<>()).add(waiter);
    }
    giveUpInTime(waiter);
    dispatch(false);
    return waiter.answer();
  }

  private void giveUpInTime(Waiter waiter) {
    Cancellable deadline =
        scheduler.at(
            waiter.context().deadlineNanos(),
            () ->
                waiter
                    .answer()
                    .complete(
                        failed(Failure.Kind.TRANSIENT, "deadline", "no answer by the deadline")));
    Cancellable cancellation =
        waiter
            .context()
            .cancellation()
            .onCancel(
                () ->
                    waiter
                        .answer()
                        .complete(failed(Failure.Kind.CANCELLED, "cancelled", "not wanted now")));
    CompletionStage<SyncOutcome> answer = waiter.answer();
    answer.whenComplete(
        (outcome, thrown) -> {
          deadline.cancel();
          cancellation.cancel();
        });
  }

  /** Sends what is queued if it may go now; {@code gathered} when the time to gather is over. */
  private void dispatch(boolean gathered) {
    Map<InstanceId, List<Waiter>> batch = new LinkedHashMap<>();
    synchronized (lock) {
      if (gathered) {
        timerArmed = false;
      }
      if (queued.isEmpty()) {
        return;
      }
      boolean now = onTheWay == 0 || (gathered && onTheWay < ON_THE_WAY_MAX);
      if (!now) {
        armTimer();
        return;
      }
      takeBatch(batch);
      if (batch.isEmpty()) {
        return;
      }
      onTheWay++;
      if (!queued.isEmpty()) {
        armTimer();
      }
    }
    send(batch);
  }

  /** Under the lock. Who gave up meanwhile is left out. */
  private void takeBatch(Map<InstanceId, List<Waiter>> batch) {
    Iterator<Map.Entry<InstanceId, List<Waiter>>> first = queued.entrySet().iterator();
    while (first.hasNext() && batch.size() < BATCH_MAX) {
      Map.Entry<InstanceId, List<Waiter>> entry = first.next();
      first.remove();
      entry.getValue().removeIf(waiter -> waiter.answer().isDone());
      if (!entry.getValue().isEmpty()) {
        batch.put(entry.getKey(), entry.getValue());
      }
    }
  }

  /** Under the lock. */
  private void armTimer() {
    if (!timerArmed && onTheWay < ON_THE_WAY_MAX) {
      timerArmed = true;
      scheduler.after(GATHER, () -> dispatch(true));
    }
  }

  private void send(Map<InstanceId, List<Waiter>> waiters) {
    Batch batch = new Batch(waiters, beginRead.get());
    source
        .read(waiters.keySet(), contextOf(batch))
        .whenComplete((result, thrown) -> landed())
        .thenCompose(
            result ->
                result.match(
                    found -> read(batch, found),
                    failure -> CompletableFuture.completedFuture(notRead(batch, failure))))
        .whenComplete((done, thrown) -> settleAll(batch, thrown));
  }

  private void landed() {
    synchronized (lock) {
      onTheWay--;
    }
    dispatch(false);
  }

  private CompletionStage<Boolean> read(Batch batch, F found) {
    return source
        .accept(batch.mark(), batch.waiters().keySet(), found, contextOf(batch))
        .thenApply(
            outcomes -> {
              outcomes.forEach((id, outcome) -> answer(batch.waiters().get(id), outcome));
              return true;
            });
  }

  private boolean notRead(Batch batch, Failure failure) {
    boolean silent =
        failure.kind() == Failure.Kind.LOST || failure.kind() == Failure.Kind.TRANSIENT;
    if (silent && batch.waiters().size() > 1) {
      split(batch);
    } else {
      SyncOutcome outcome = new SyncOutcome.Failed(failure);
      batch.waiters().values().forEach(waiters -> answer(waiters, outcome));
    }
    return false;
  }

  private void split(Batch batch) {
    Map<InstanceId, List<Waiter>> left = new LinkedHashMap<>();
    Map<InstanceId, List<Waiter>> right = new LinkedHashMap<>();
    batch
        .waiters()
        .forEach(
            (id, waiters) ->
                (left.size() < batch.waiters().size() / 2 ? left : right).put(id, waiters));
    synchronized (lock) {
      onTheWay += 2;
    }
    send(left);
    send(right);
  }

  /** A defect must not leave anybody waiting. */
  private static void settleAll(Batch batch, @Nullable Throwable thrown) {
    if (thrown != null) {
      SyncOutcome broken = failed(Failure.Kind.TRANSIENT, "defect", thrown.toString());
      batch.waiters().values().forEach(waiters -> answer(waiters, broken));
    }
  }

  private static void answer(@Nullable List<Waiter> waiters, SyncOutcome outcome) {
    if (waiters != null) {
      waiters.forEach(waiter -> waiter.answer().complete(outcome));
    }
  }

  /** As urgent as the most urgent of those who wait, as long as the most patient. */
  private CallContext contextOf(Batch batch) {
    List<CallContext> contexts =
        batch.waiters().values().stream().flatMap(List::stream).map(Waiter::context).toList();
    long now = scheduler.time().nanos();
    long longestNanos =
        contexts.stream().mapToLong(each -> each.deadlineNanos() - now).max().orElse(0);
    Priority.Rank rank =
        contexts.stream()
            .map(each -> each.priority().rank())
            .min(Comparator.naturalOrder())
            .orElse(Priority.Rank.VERIFY);
    return CallContext.of("", Priority.of(rank), now + longestNanos, shutdown);
  }

  private static SyncOutcome failed(Failure.Kind kind, String condition, String detail) {
    return new SyncOutcome.Failed(Failure.of(kind, condition, detail));
  }
}
