package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.run.KeyedReconciler;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Keeps the note in the lease ahead of the blocks that are given out. Thread-safe; the lock is
 * never held across a call.
 */
final class LeaseNote {
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final CidrLedger ledger;
  private final KeyedReconciler<?> reconciler;
  private final TaskScheduler scheduler;
  private final Supplier<CompletionStage<Boolean>> publisher;
  private final Consumer<List<String>> resume;
  private final Object lock = new Object();
  private Optional<HandOver> note = Optional.empty();
  private boolean writing;

  /** Ends when the next leader can know enough to begin. */
  private final CompletableFuture<Void> first = new CompletableFuture<>();

  /** Names of nodes that wait until the next leader can know more. */
  private final Set<String> waiting = new HashSet<>();

  /**
   * Nothing is noted yet; {@code publisher} writes the notes of the lease now, {@code resume} takes
   * the names of nodes that waited until the next leader can know more.
   */
  LeaseNote(
      CidrLedger ledger,
      KeyedReconciler<?> reconciler,
      TaskScheduler scheduler,
      Supplier<CompletionStage<Boolean>> publisher,
      Consumer<List<String>> resume) {
    this.ledger = ledger;
    this.reconciler = reconciler;
    this.scheduler = scheduler;
    this.publisher = publisher;
    this.resume = resume;
  }

  /** The note as it is to be written; empty before the first one. */
  Optional<String> text() {
    synchronized (lock) {
      return note.map(HandOver::text);
    }
  }

  /** Ends once the next leader can know how far blocks will be given out. */
  CompletionStage<Void> publishFirst() {
    if (ledger.cidrs().haveRanges()) {
      ledger.rounds().publishFirst();
      keepAhead();
    } else {
      first.complete(null); // nothing will be given out
    }
    return first;
  }

  /** The node gets blocks, or a reason why not, once the next leader can know more. */
  void await(String node) {
    synchronized (lock) {
      waiting.add(node);
    }
    keepAhead();
  }

  /** Publishes positions that are due; one write at a time. Ended ones come with the next note. */
  void keepAhead() {
    Map<Cidr, Long> positions;
    synchronized (lock) {
      Optional<Map<Cidr, Long>> due = ledger.rounds().due();
      if (writing || due.isEmpty() || reconciler.isStopped()) {
        return;
      }
      writing = true;
      positions = due.get();
      note = Optional.of(HandOver.working(ledger.cidrs(), positions));
    }
    reconciler.begun();
    publisher.get().thenAccept(written -> published(positions, written));
  }

  private void published(Map<Cidr, Long> positions, boolean written) {
    if (written) {
      ledger.rounds().published(positions);
    }
    synchronized (lock) {
      writing = false;
    }
    if (written) {
      goOn();
      keepAhead();
    } else {
      scheduler.after(AGAIN, this::keepAhead);
    }
    reconciler.ended();
  }

  /** The next leader can know more than before. */
  private void goOn() {
    List<String> nodes;
    synchronized (lock) {
      nodes = List.copyOf(waiting);
      waiting.clear();
    }
    first.complete(null);
    resume.accept(nodes);
  }

  /** Nothing is given out any more, and every write had a result. */
  void end() {
    long now = scheduler.time().nanos();
    if (!ledger.rounds().isWithheld(now)) {
      Optional<HandOver> ended = HandOver.ended(ledger, now);
      synchronized (lock) {
        note = note.isPresent() ? ended.or(() -> note) : note;
      }
    }
  }
}
