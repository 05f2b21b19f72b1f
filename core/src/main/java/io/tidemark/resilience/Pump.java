package io.tidemark.resilience;

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
 * Hands tokens to waiters as long as there are both. Thread-safe; one thread pumps at a time,
 * others leave it a note to look again, so handing over never nests and never waits.
 *
 * <p>Without a ceiling each queue has its own pump. With one all queues share a pump, which then
 * chooses among all of them who gets the next call. It has one timer, which runs only while
 * somebody waits for a token.
 */
final class Pump implements Runnable {
  private static final TokenQueue[] NONE = {};

  /** Two computations of the same instant differ by less. */
  private static final long ROUNDING_NANOS = 1_000;

  private final TaskScheduler scheduler;
  private final Optional<BucketLimiter> ceiling;
  private final AtomicInteger notes = new AtomicInteger();
  private volatile TokenQueue[] queues = NONE;
  private Turns turns = Turns.FIRST;
  private @Nullable Alarm alarm;

  Pump(TaskScheduler scheduler, Optional<BucketLaw> ceiling) {
    this.scheduler = scheduler;
    TimeSource time = scheduler.time();
    this.ceiling =
        ceiling.map(
            law ->
                new BucketLimiter(
                    "ceiling", AdaptiveBucket.full(law, time.nanos()), time, this::waiting));
  }

  /** Adds a queue; before it is used. */
  synchronized void serve(TokenQueue queue) {
    List<TokenQueue> more = new ArrayList<>(List.of(queues));
    more.add(queue);
    queues = more.toArray(NONE);
  }

  Optional<BucketLimiter> ceiling() {
    return ceiling;
  }

  TimeSource time() {
    return scheduler.time();
  }

  private int waiting() {
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
      servable[i] = all[i].servable(now, turns);
      waiting |= servable[i];
    }
    if (waiting == 0) {
      return false;
    }
    Urgency urgency = turns.next(waiting);
    Optional<Place> first = Optional.empty();
    for (int i = 0; i < all.length; i++) {
      if ((servable[i] & urgency.bit()) != 0) {
        first = earlier(urgency, first, all[i].first(urgency));
      }
    }
    first.ifPresent(place -> grant(place.queue(), urgency));
    return true;
  }

  private static Optional<Place> earlier(
      Urgency urgency, Optional<Place> one, Optional<Place> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isPresent() ? one : other;
    }
    return urgency.order().compare(one.get(), other.get()) <= 0 ? one : other;
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
      ceiling.ifPresent(BucketLimiter::giveBack);
      return;
    }
    turns = turns.after(urgency);
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
      OptionalLong next = queue.nextNanos(now, turns);
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
      Pump.this.run();
    }
  }
}
