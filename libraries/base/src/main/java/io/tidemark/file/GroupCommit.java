package io.tidemark.file;

import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Makes changes durable in one file, many with one write: those that come while a write is under
 * way share the next one. There are never two writes under way, and none is given up for taking
 * long, because a write that ends late could put an old file over a newer one.
 *
 * <p>Thread-safe; never blocks. No lock is held while a stage ends.
 *
 * @param <C> a change
 */
public final class GroupCommit<C> {
  /** A write that takes longer is reported; it goes on. */
  private static final Duration LONG = Duration.ofSeconds(5);

  /** The content of the file: all that was committed. Called by one thread at a time, in order. */
  public interface Ledger<C> {
    /** The content of the file with all that was committed and these changes, which are not yet. */
    byte[] contentWith(List<C> changes);

    /** These changes are durable. */
    void committed(List<C> changes);
  }

  /** Where the content becomes durable. Called by one thread at a time, in order. */
  public interface Target {
    /** Replaces the content; it is durable when this returns, and the old one when it throws. */
    void write(byte[] content) throws IOException;
  }

  private record Waiting<C>(C change, boolean kept, CompletableFuture<Commit> end) {}

  private final EffectRunner effects;
  private final EffectSite site;
  private final TimeSource time;
  private final Target target;
  private final String name;
  private final Ledger<C> ledger;
  private final Object lock = new Object();
  private List<Waiting<C>> waiting = new ArrayList<>();
  private boolean writing;
  private long startedNanos;
  private @Nullable String failure;

  /** Nothing is written before the first change. */
  public GroupCommit(
      EffectRunner effects, EffectSite site, TimeSource time, AtomicFile file, Ledger<C> ledger) {
    this(effects, site, time, file::write, file.path().toString(), ledger);
  }

  /**
   * Nothing is written before the first change.
   *
   * @param name of the target, for messages
   */
  public GroupCommit(
      EffectRunner effects,
      EffectSite site,
      TimeSource time,
      Target target,
      String name,
      Ledger<C> ledger) {
    this.effects = effects;
    this.site = site;
    this.time = time;
    this.target = target;
    this.name = name;
    this.ledger = ledger;
  }

  /**
   * Hands over a change.
   *
   * @return ends when the change is durable or has failed, never exceptionally; stages of one write
   *     end in the order in which the changes came, or in reverse order when it failed, so that
   *     each change is taken back before those that it was built on
   */
  public CompletionStage<Commit> submit(C change) {
    return submit(change, false);
  }

  /**
   * Hands over a change that is not taken back: when its write fails, the next one has it, before
   * the changes that came later. It is not tried again without another change.
   */
  public void keep(C change) {
    submit(change, true);
  }

  private CompletionStage<Commit> submit(C change, boolean kept) {
    Waiting<C> next = new Waiting<>(change, kept, new CompletableFuture<>());
    synchronized (lock) {
      waiting.add(next);
      if (writing) {
        return next.end();
      }
      writing = true;
    }
    write();
    return next.end();
  }

  /** Why the file cannot be relied on: the last write failed, or takes long; else empty. */
  public Optional<String> unhealthy() {
    synchronized (lock) {
      if (writing && time.nanos() - startedNanos > LONG.toNanos()) {
        return Optional.of(name + " has been written to for " + LONG.toSeconds() + " s");
      }
      return Optional.ofNullable(failure);
    }
  }

  private void write() {
    List<Waiting<C>> batch;
    synchronized (lock) {
      batch = waiting;
      waiting = new ArrayList<>();
      startedNanos = time.nanos();
    }
    List<C> changes = batch.stream().map(Waiting::change).toList();
    effects
        .run(site, TaskScheduler.CENTURY, () -> written(changes))
        .stage()
        .whenComplete((commit, thrown) -> ended(batch, changes, commit, thrown));
  }

  private Commit written(List<C> changes) {
    try {
      target.write(ledger.contentWith(changes));
      return new Commit.Durable();
    } catch (IOException e) {
      return failed(e);
    }
  }

  private void ended(
      List<Waiting<C>> batch,
      List<C> changes,
      @Nullable Commit commit,
      @Nullable Throwable thrown) {
    Commit end = thrown != null || commit == null ? failed(thrown) : commit;
    List<Waiting<C>> order = new ArrayList<>(batch);
    List<Waiting<C>> again = List.of();
    if (end instanceof Commit.Durable) {
      ledger.committed(changes);
    } else {
      again = batch.stream().filter(Waiting::kept).toList();
      order.removeAll(again);
      Collections.reverse(order);
    }
    boolean more;
    synchronized (lock) {
      failure = end instanceof Commit.Failed failed ? failed.reason() : null;
      waiting.addAll(0, again);
    }
    order.forEach(each -> each.end().complete(end));
    synchronized (lock) {
      more = waiting.size() > again.size();
      writing = more;
    }
    if (more) {
      write();
    }
  }

  private Commit.Failed failed(@Nullable Throwable cause) {
    return new Commit.Failed(name + " cannot be written: " + cause);
  }
}
