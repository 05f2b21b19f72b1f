package io.tidemark.resilience;

import io.tidemark.config.CallCeiling;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Hands tokens to waiters as long as there are both. Thread-safe; one thread dispatches at a time,
 * others leave it a note to look again, so handing over never nests and never waits.
 *
 * <p>Queues that share a bucket share a dispatcher, which then chooses among all of them who gets
 * the next call; with a ceiling all queues do. It has one timer, which runs only while somebody
 * waits for a token.
 */
final class TokenDispatcher implements Runnable {
  private static final TokenQueue[] NONE = {};

  /** Two computations of the same instant differ by less. */
  private static final long ROUNDING_NANOS = 1_000;

  private final TaskScheduler scheduler;
  private final Optional<LearnedBucket> ceiling;
  private final AtomicInteger notes = new AtomicInteger();
  private volatile TokenQueue[] queues = NONE;
  private FairnessPolicy fairness = FairnessPolicy.FIRST;
  private @Nullable Alarm alarm;

  /** The dispatcher of one queue, or of those that share a bucket. */
  TokenDispatcher(TaskScheduler scheduler) {
    this.scheduler = scheduler;
    this.ceiling = Optional.empty();
  }

  /** The dispatcher of all queues, under a limit over all calls. */
  TokenDispatcher(TaskScheduler scheduler, CallCeiling limit) {
    this.scheduler = scheduler;
    BucketRules rules = BucketRules.fixed(limit.callsPerSecond(), limit.burst());
    this.ceiling =
        Optional.of(
            LearnedBucket.of("", "ceiling", rules, LearnedRates.NONE, time(), this::waiting));
  }

  /** Adds a queue; before it is used. */
  synchronized void serve(TokenQueue queue) {
    List<TokenQueue> more = new ArrayList<>(List.of(queues));
    more.add(queue);
    queues = more.toArray(NONE);
  }

  Optional<LearnedBucket> ceiling() {
    return ceiling;
  }

  TimeSource time() {
    return scheduler.time();
  }

  /** How many wait in all queues. */
  int waiting() {
    int sum = 0;
    for (TokenQueue queue : queues) {
      sum += queue.size();
    }
    return sum;
  }

  /** Hands out what there is. Returns at once while another thread, or a caller, is doing it. */
  @Override
  public void run() {
    if (notes.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    while (seen != 0) {
      boolean done = false;
      try {
        while (grantOne()) {
          // each grant is a step of its own
        }
        setAlarm();
        done = true;
      } finally {
        if (!done) {
          notes.set(0);
        }
      }
      seen = notes.addAndGet(-seen);
    }
  }

  private boolean grantOne() {
    if (ceiling.isPresent() && !ceiling.get().bucket().hasToken()) {
      return false;
    }
    long now = time().nanos();
    TokenQueue[] all = queues;
    int[] servable = new int[all.length];
    int waiting = 0;
    for (int i = 0; i < all.length; i++) {
      servable[i] = all[i].servable(now, fairness);
      waiting |= servable[i];
    }
    if (waiting == 0) {
      return false;
    }
    Urgency urgency = fairness.next(waiting);
    Optional<Waiter.Entry> first = Optional.empty();
    for (int i = 0; i < all.length; i++) {
      if ((servable[i] & urgency.bit()) != 0) {
        first = earlier(urgency, first, all[i].first(urgency));
      }
    }
    first.ifPresent(entry -> grant(entry.queue(), urgency));
    return true;
  }

  private static Optional<Waiter.Entry> earlier(
      Urgency urgency, Optional<Waiter.Entry> one, Optional<Waiter.Entry> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isPresent() ? one : other;
    }
    return Waiter.Entry.order(urgency).compare(one.get(), other.get()) <= 0 ? one : other;
  }

  private void grant(TokenQueue queue, Urgency urgency) {
    if (ceiling.isPresent() && !ceiling.get().tryReserve(urgency)) {
      return;
    }
    Optional<Waiter> waiter = Optional.empty();
    if (queue.tryReserve(urgency)) {
      waiter = queue.poll(urgency);
      if (waiter.isEmpty()) {
        queue.release();
      }
    }
    if (waiter.isEmpty()) {
      ceiling.ifPresent(LearnedBucket::giveBack);
      return;
    }
    fairness = fairness.after(urgency);
    waiter.get().granted(queue.permit(waiter.get()));
  }

  private void setAlarm() {
    long now = time().nanos();
    OptionalLong next = nextNanos(now);
    Alarm set = alarm;
    if (set != null && (set.rang || next.isEmpty() || !set.isAbout(next.getAsLong()))) {
      set.cancel();
      alarm = null;
    }
    if (alarm == null && next.isPresent()) {
      alarm = new Alarm(next.getAsLong());
    }
  }

  private OptionalLong nextNanos(long now) {
    boolean any = false;
    long wait = Long.MAX_VALUE;
    for (TokenQueue queue : queues) {
      OptionalLong next = queue.nextNanos(now, fairness);
      if (next.isPresent()) {
        any = true;
        wait = Math.min(wait, next.getAsLong() - now);
      }
    }
    if (!any) {
      return OptionalLong.empty();
    }
    if (ceiling.isPresent()) {
      wait = Math.max(wait, ceiling.get().bucket().nanosToToken());
    }
    return OptionalLong.of(now + Math.max(0, wait));
  }

  /** The timer of the next token. */
  private final class Alarm implements Runnable {
    private final long nanos;
    private final Cancellable handle;
    private volatile boolean rang;

    Alarm(long nanos) {
      this.nanos = nanos;
      this.handle = scheduler.at(nanos, this);
    }

    boolean isAbout(long other) {
      return Math.abs(other - nanos) <= ROUNDING_NANOS;
    }

    void cancel() {
      if (!rang) {
        handle.cancel();
      }
    }

    @Override
    public void run() {
      rang = true;
      TokenDispatcher.this.run();
    }
  }
}
