package io.tidemark.provider.kit;

import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
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
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Batches requests for single items. An item is sent at once while no request is in flight;
 * otherwise it waits for a response, or for {@link Options#gather}, and is sent together with the
 * items queued by then. An item that is requested several times is sent once.
 *
 * <p>Thread-safe: a short lock around the queue, never held while anything else runs.
 *
 * @param <I> an item, compared by equality
 * @param <O> the outcome of an item
 */
public final class Batcher<I, O> {
  private final TaskScheduler scheduler;
  private final Options<I> options;
  private final Source<I, O> source;
  private final Cancellation shutdown;
  private final Object lock = new Object();
  private final Map<I, List<Waiter<O>>> queued = new LinkedHashMap<>();
  private int onTheWay;
  private boolean timerArmed;

  /**
   * How items are gathered.
   *
   * @param itemsMax items in one request, 1 or more
   * @param underWayMax requests in flight, 1 or more
   * @param gather how long an item waits for others while a request is in flight
   * @param group only items of an equal group go into one request
   * @param splits whether a batch without a response is halved and sent again, so that one item
   *     cannot block the others
   * @param itemsMin the size from which a batch that has this item first goes into one request; the
   *     items of a smaller one are sent one by one
   */
  public record Options<I>(
      int itemsMax,
      int underWayMax,
      Duration gather,
      Function<I, ?> group,
      boolean splits,
      ToIntFunction<I> itemsMin) {
    /** Batches of any size. */
    public Options(
        int itemsMax, int underWayMax, Duration gather, Function<I, ?> group, boolean splits) {
      this(itemsMax, underWayMax, gather, group, splits, item -> 1);
    }

    /** 200 items, all of one group, four requests, 50 ms, split. */
    public static <I> Options<I> usual() {
      return new Options<>(200, 4, Duration.ofMillis(50), item -> "", true);
    }
  }

  /** The cloud's side. Called without a lock held. */
  public interface Source<I, O> {
    /** Sends one request for some items. */
    CompletionStage<CallResult<Answer<I, O>>> send(Set<I> items, CallContext context);

    /** The result of an item whose request failed. */
    O failed(Failure failure);
  }

  /** A response; the next request does not wait until it is processed. */
  @FunctionalInterface
  public interface Answer<I, O> {
    /**
     * Processes the response; returns the outcome of each item.
     *
     * @param context for further requests
     */
    CompletionStage<Map<I, O>> outcomes(CallContext context);
  }

  private record Waiter<O>(CallContext context, CompletableFuture<O> answer) {}

  /**
   * A batcher without requests.
   *
   * @param shutdown cancels queued and sent requests
   */
  public Batcher(
      TaskScheduler scheduler, Options<I> options, Source<I, O> source, Cancellation shutdown) {
    this.scheduler = scheduler;
    this.options = options;
    this.source = source;
    this.shutdown = shutdown;
  }

  /** Requests one item, possibly batched with others; ends by the context's deadline. */
  public CompletionStage<O> submit(I item, CallContext context) {
    Waiter<O> waiter = new Waiter<>(context, new CompletableFuture<>());
    synchronized (lock) {
      queued.computeIfAbsent(item, key -> new ArrayList<>()).add(waiter);
    }
    giveUpInTime(waiter);
    dispatch(false);
    return waiter.answer();
  }

  private void giveUpInTime(Waiter<O> waiter) {
    CallContext context = waiter.context();
    CompletableFuture<O> answer = waiter.answer();
    O late = failed(Failure.Kind.TRANSIENT, "deadline", "no answer by the deadline");
    O cancelled = failed(Failure.Kind.CANCELLED, "cancelled", "not wanted now");
    Cancellable deadline = scheduler.at(context.deadlineNanos(), () -> answer.complete(late));
    Cancellable cancellation = context.cancellation().onCancel(() -> answer.complete(cancelled));
    CompletionStage<O> stage = answer;
    stage.whenComplete(
        (outcome, thrown) -> {
          deadline.cancel();
          cancellation.cancel();
        });
  }

  /** Sends what is queued if it may go now; {@code gathered} when the time to gather is over. */
  private void dispatch(boolean gathered) {
    List<Map<I, List<Waiter<O>>>> batches;
    synchronized (lock) {
      if (gathered) {
        timerArmed = false;
      }
      if (queued.isEmpty()) {
        return;
      }
      boolean now = onTheWay == 0 || (gathered && onTheWay < options.underWayMax());
      if (!now) {
        armTimer();
        return;
      }
      batches = requests(takeBatch());
      onTheWay += batches.size();
      if (!queued.isEmpty() && !batches.isEmpty()) {
        armTimer();
      }
    }
    batches.forEach(this::send);
  }

  private List<Map<I, List<Waiter<O>>>> requests(Map<I, List<Waiter<O>>> batch) {
    if (batch.isEmpty()) {
      return List.of();
    }
    if (batch.size() >= options.itemsMin().applyAsInt(batch.keySet().iterator().next())) {
      return List.of(batch);
    }
    return batch.entrySet().stream().map(each -> Map.of(each.getKey(), each.getValue())).toList();
  }

  /** Under the lock. Who gave up meanwhile is left out. */
  private Map<I, List<Waiter<O>>> takeBatch() {
    Map<I, List<Waiter<O>>> batch = new LinkedHashMap<>();
    Object group = null;
    Iterator<Map.Entry<I, List<Waiter<O>>>> first = queued.entrySet().iterator();
    while (first.hasNext() && batch.size() < options.itemsMax()) {
      Map.Entry<I, List<Waiter<O>>> entry = first.next();
      entry.getValue().removeIf(waiter -> waiter.answer().isDone());
      Object own = options.group().apply(entry.getKey());
      if (entry.getValue().isEmpty()) {
        first.remove();
      } else if (group == null || group.equals(own)) {
        group = own;
        first.remove();
        batch.put(entry.getKey(), entry.getValue());
      }
    }
    return batch;
  }

  /** Under the lock. */
  private void armTimer() {
    if (!timerArmed && onTheWay < options.underWayMax()) {
      timerArmed = true;
      scheduler.after(options.gather(), () -> dispatch(true));
    }
  }

  private void send(Map<I, List<Waiter<O>>> batch) {
    source
        .send(batch.keySet(), contextOf(batch))
        .whenComplete((result, thrown) -> landed())
        .thenCompose(
            result ->
                result.match(
                    answer -> answered(batch, answer),
                    failure -> CompletableFuture.completedFuture(notAnswered(batch, failure))))
        .whenComplete((done, thrown) -> settleAll(batch, thrown));
  }

  private void landed() {
    synchronized (lock) {
      onTheWay--;
    }
    dispatch(false);
  }

  private CompletionStage<Boolean> answered(Map<I, List<Waiter<O>>> batch, Answer<I, O> answer) {
    return answer
        .outcomes(contextOf(batch))
        .thenApply(
            outcomes -> {
              outcomes.forEach((item, outcome) -> answer(batch.get(item), outcome));
              return true;
            });
  }

  private boolean notAnswered(Map<I, List<Waiter<O>>> batch, Failure failure) {
    boolean silent =
        failure.kind() == Failure.Kind.LOST || failure.kind() == Failure.Kind.TRANSIENT;
    if (silent && batch.size() > 1 && options.splits()) {
      split(batch);
    } else {
      O outcome = source.failed(failure);
      batch.values().forEach(waiters -> answer(waiters, outcome));
    }
    return false;
  }

  private void split(Map<I, List<Waiter<O>>> batch) {
    Map<I, List<Waiter<O>>> left = new LinkedHashMap<>();
    Map<I, List<Waiter<O>>> right = new LinkedHashMap<>();
    batch.forEach(
        (item, waiters) -> (left.size() < batch.size() / 2 ? left : right).put(item, waiters));
    synchronized (lock) {
      onTheWay += 2;
    }
    send(left);
    send(right);
  }

  /** A defect must not leave anybody waiting. */
  private void settleAll(Map<I, List<Waiter<O>>> batch, @Nullable Throwable thrown) {
    if (thrown != null) {
      O broken = failed(Failure.Kind.TRANSIENT, "defect", thrown.toString());
      batch.values().forEach(waiters -> answer(waiters, broken));
    }
  }

  private void answer(@Nullable List<Waiter<O>> waiters, O outcome) {
    if (waiters != null) {
      waiters.forEach(waiter -> waiter.answer().complete(outcome));
    }
  }

  /** As urgent as the most urgent of those who wait, as long as the most patient. */
  private CallContext contextOf(Map<I, List<Waiter<O>>> batch) {
    List<CallContext> contexts =
        batch.values().stream().flatMap(List::stream).map(Waiter::context).toList();
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

  private O failed(Failure.Kind kind, String condition, String detail) {
    return source.failed(Failure.of(kind, condition, detail));
  }
}
