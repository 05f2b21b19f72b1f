package io.tidemark.cluster.lease;

import io.tidemark.cluster.lease.LeasePort.Claim;
import io.tidemark.cluster.lease.LeaseRules.Seen;
import io.tidemark.cluster.lease.LeaseRules.Step;
import io.tidemark.resilience.Fence;
import io.tidemark.time.Cancellable;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Acquires and holds the lease of the one operator that may act. Thread-safe; owns no thread: it
 * reads and renews on the scheduler, requests run as effects.
 *
 * <p>It is a {@link Fence}: open only while the last renewal that worked <em>began</em> less than
 * the renew deadline ago, by the clock that shows more time. Each change asks it immediately
 * before. A lease that is lost is lost for good: the process ends, as the reference's does, and the
 * next one reads back what was left undone.
 */
public final class LeaderLease implements Fence {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderLease.class);

  private final LeasePort port;
  private final String identity;
  private final LeaseTiming timing;
  private final TaskScheduler scheduler;
  private final EffectRunner effects;
  private final LeaseNotes notes;
  private final CompletableFuture<Map<String, String>> won = new CompletableFuture<>();
  private final CompletableFuture<String> lost = new CompletableFuture<>();
  private final CompletableFuture<Void> notWonAtOnce = new CompletableFuture<>();
  private final Object lock = new Object();
  private Optional<Seen> seen = Optional.empty();
  private Optional<Instant> wonAt = Optional.empty();
  private Optional<LeaseRecord> taken = Optional.empty();
  private @Nullable Moment renewed;
  private @Nullable Cancellable next;
  private CompletionStage<?> underWay = CompletableFuture.completedStage(null);
  private String trouble = "";
  private boolean idle = true;
  private boolean ended;

  /**
   * A lease that is not requested before {@link #start}.
   *
   * @param port the lease where it is kept
   * @param identity of this process, unique also among earlier processes of this machine
   * @param scheduler runs reads and renewals, and has the clocks
   * @param effects runs the requests; must have room at any time, so it shares no pool with others
   * @param notes texts for the next leader, by name, as they are now; written with each renewal.
   *     Notes that it does not name stay as former leaders left them
   */
  public LeaderLease(
      LeasePort port,
      String identity,
      LeaseTiming timing,
      TaskScheduler scheduler,
      EffectRunner effects,
      Supplier<Map<String, String>> notes) {
    this.port = port;
    this.identity = identity;
    this.timing = timing;
    this.scheduler = scheduler;
    this.effects = effects;
    this.notes = new LeaseNotes(notes);
  }

  /** Starts to request the lease. */
  public void start() {
    look();
  }

  /** Ends when the lease is held, with the notes of earlier leaders; never exceptionally. */
  public CompletionStage<Map<String, String>> won() {
    return won;
  }

  /**
   * Ends when the lease cannot be had at once, because another process holds it or a request
   * failed: the caller can use the time. Does not end when it is won at once.
   */
  public CompletionStage<Void> notWonAtOnce() {
    return notWonAtOnce;
  }

  /** Ends when the lease was held and is not any more, with the reason; never exceptionally. */
  public CompletionStage<String> lost() {
    return lost;
  }

  @Override
  public boolean isOpen() {
    synchronized (lock) {
      return renewed != null
          && !ended
          && LeaseRules.mayAct(renewed, timing, Moment.of(scheduler.time()));
    }
  }

  /** The last known holder; empty when there is none or it was not read yet. */
  public Optional<String> holder() {
    synchronized (lock) {
      return seen.map(it -> it.record().holder()).filter(holder -> !holder.isEmpty());
    }
  }

  /** The uid of the object, for Events on it; empty when it was not read yet. */
  public Optional<String> uid() {
    synchronized (lock) {
      return seen.map(it -> it.record().uid());
    }
  }

  /**
   * When the lease was won, in whole seconds by the server's clock; empty until then, and where the
   * server does not record it. Set before {@link #won} ends.
   */
  public Optional<Instant> wonAt() {
    synchronized (lock) {
      return wonAt;
    }
  }

  /**
   * The lease as it was before this process won it, by which is known how the leader before ended;
   * empty when there was none. Set before {@link #won} ends.
   */
  public Optional<LeaseRecord> taken() {
    synchronized (lock) {
      return taken;
    }
  }

  /** Why the lease could not be read or written last; empty when it could. */
  public Optional<String> trouble() {
    synchronized (lock) {
      return trouble.isEmpty() ? Optional.empty() : Optional.of(trouble);
    }
  }

  private void look() {
    synchronized (lock) {
      if (!idle || ended) {
        return;
      }
      idle = false;
    }
    Moment began = Moment.of(scheduler.time());
    run("lease get", port::read, found -> this.read(found, began));
  }

  private void read(Optional<LeaseRecord> found, Moment began) {
    Moment now = Moment.of(scheduler.time());
    Step step;
    boolean leading;
    Optional<Seen> current;
    synchronized (lock) {
      Optional<Seen> before = seen;
      seen = found.map(record -> Seen.of(before, record, now));
      current = seen;
      leading = renewed != null;
      step = LeaseRules.step(seen, identity, now);
    }
    if (step == Step.WAIT) {
      if (leading) {
        lose("another operator holds the lease: " + current.orElseThrow().record().holder());
        return;
      }
      notWonAtOnce.complete(null);
      again(LeaseRules.nextLook(current.orElseThrow(), timing, now));
      return;
    }
    claim(current, began);
  }

  /** Writes our name; the time that counts began before the lease was read. */
  private void claim(Optional<Seen> current, Moment began) {
    Optional<LeaseRecord> before = current.map(Seen::record);
    boolean begins = current.map(it -> !it.record().holder().equals(identity)).orElse(true);
    int transitions = current.map(it -> it.record().transitions() + (begins ? 1 : 0)).orElse(0);
    Map<String, String> ours = won.isDone() ? notes.take() : Map.of();
    Claim claim = new Claim(identity, timing, begins, transitions, ours);
    Callable<Optional<LeaseRecord>> leaf =
        current.isEmpty()
            ? () -> port.create(claim)
            : () -> port.write(current.get().record().version(), claim);
    run("lease write", leaf, written -> this.written(written, began, before));
  }

  private void written(Optional<LeaseRecord> written, Moment began, Optional<LeaseRecord> before) {
    if (written.isEmpty()) {
      again(Duration.ZERO); // another process was faster: see which
      return;
    }
    boolean first;
    synchronized (lock) {
      if (ended) {
        return;
      }
      first = renewed == null;
      renewed = began;
      if (first) {
        wonAt = written.get().writtenAt();
        taken = before;
      }
      seen = Optional.of(new Seen(written.get(), Moment.of(scheduler.time())));
    }
    again(notes.areWaitedFor() ? Duration.ZERO : timing.retryPeriod());
    notes.stored();
    if (first) {
      LOG.info("This operator leads. identity={}", identity);
      won.complete(before.map(LeaseRecord::notes).orElse(Map.of()));
    }
  }

  /** Sends one request and handles its response; a failure is retried while there is time. */
  private <T> void run(String operation, Callable<T> leaf, Consumer<T> answered) {
    CompletionStage<T> stage;
    synchronized (lock) {
      if (ended) {
        return;
      }
      stage =
          effects
              .run(new EffectSite(operation, ""), timing.renewDeadline().dividedBy(2), leaf)
              .stage();
      underWay = stage;
    }
    stage.whenComplete(
        (answer, thrown) -> {
          if (thrown == null) {
            trouble("");
            answered.accept(answer);
          } else {
            failed(operation, thrown);
          }
        });
  }

  private void failed(String operation, Throwable thrown) {
    String text = operation + " at " + port.server() + ": " + thrown.getMessage();
    boolean apart = thrown instanceof LeaseFailure failure && failure.isLoggedApart();
    if (trouble(text)) {
      LOG.atLevel(apart ? Level.DEBUG : Level.WARN)
          .log("The lease cannot be read or written; it is tried again. cause={}", text);
    }
    boolean leading;
    synchronized (lock) {
      leading = renewed != null;
    }
    if (leading && !isOpen()) {
      lose("it was not renewed for " + timing.renewDeadline().toSeconds() + " s; " + text);
      return;
    }
    notWonAtOnce.complete(null);
    again(leading ? timing.look() : timing.retryPeriod());
  }

  private boolean trouble(String text) {
    synchronized (lock) {
      boolean news = !trouble.equals(text);
      trouble = text;
      return news;
    }
  }

  private void again(Duration delay) {
    synchronized (lock) {
      if (!ended) {
        idle = true;
        next = scheduler.after(delay, this::look);
      }
    }
  }

  private void lose(String why) {
    synchronized (lock) {
      if (ended) {
        return;
      }
      ended = true;
    }
    LOG.warn("The lease is lost. cause={}", why);
    lost.complete(why);
    notes.end();
  }

  /**
   * Writes the notes now, as they are from this call on, and not with the next renewal. A write
   * that fails is repeated while the lease is held.
   *
   * @return ends with true when the server has them; with false when the lease is not held, is lost
   *     or released before, or cannot take them; never exceptionally
   */
  public CompletionStage<Boolean> publish() {
    CompletionStage<Boolean> done;
    synchronized (lock) {
      if (ended || renewed == null) {
        return CompletableFuture.completedStage(false);
      }
      done = notes.published();
      if (idle && next != null) {
        next.cancel();
      }
    }
    look();
    return done;
  }

  /**
   * Ends it: closes the fence at once and releases a held lease, so that the next operator need not
   * wait. Call it after the last change of the cloud.
   *
   * @return ends when the lease is released or the server cannot be reached; never exceptionally
   */
  public CompletionStage<?> release() {
    CompletionStage<?> before;
    boolean held;
    synchronized (lock) {
      held = renewed != null && !ended;
      ended = true;
      before = underWay;
      if (next != null) {
        next.cancel();
      }
    }
    notes.end();
    if (!held) {
      return before.handle((any, thrown) -> "not held");
    }
    return before.handle((any, thrown) -> "").thenCompose(any -> giveBack());
  }

  private CompletionStage<?> giveBack() {
    EffectSite site = new EffectSite("lease get", "");
    return effects
        .run(site, timing.retryPeriod(), port::read)
        .stage()
        .thenCompose(
            now ->
                now.filter(record -> record.holder().equals(identity)).isEmpty()
                    ? CompletableFuture.completedStage(Optional.<LeaseRecord>empty())
                    : effects
                        .run(
                            new EffectSite("lease write", ""),
                            timing.retryPeriod(),
                            () -> port.write(now.get().version(), empty(now.get())))
                        .stage())
        .handle(
            (written, thrown) -> {
              if (thrown != null) {
                LOG.warn("The lease could not be released. cause={}", thrown.getMessage());
              }
              return "";
            });
  }

  private Claim empty(LeaseRecord now) {
    return new Claim("", timing, false, now.transitions(), notes.take());
  }
}
