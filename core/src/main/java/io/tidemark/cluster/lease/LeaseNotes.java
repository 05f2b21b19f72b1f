package io.tidemark.cluster.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The notes of a leader for the next one, and who waits until they are written. Thread-safe. */
final class LeaseNotes {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseNotes.class);

  /** Characters of all notes; an API server refuses an object whose annotations pass 256 KiB. */
  static final int LENGTH_MAX = 80_000;

  private final Supplier<Map<String, String>> source;
  private final Object lock = new Object();
  private List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
  private List<CompletableFuture<Boolean>> inWriting = new ArrayList<>();
  private boolean tooLong;

  /** {@code source} has the notes as they are now. */
  LeaseNotes(Supplier<Map<String, String>> source) {
    this.source = source;
  }

  /** Ends when a write is stored whose notes were taken after this call, or never will be. */
  CompletionStage<Boolean> published() {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    synchronized (lock) {
      waiting.add(done);
    }
    return done;
  }

  /** Whether somebody waits whose notes are in no write yet. */
  boolean areWaitedFor() {
    synchronized (lock) {
      return !waiting.isEmpty();
    }
  }

  /** For a write; none when they are too long for the lease, which then keeps those it has. */
  Map<String, String> take() {
    synchronized (lock) {
      inWriting.addAll(waiting);
      waiting = new ArrayList<>();
    }
    Map<String, String> now = source.get();
    int length = now.values().stream().mapToInt(String::length).sum();
    boolean isNew;
    synchronized (lock) {
      isNew = length > LENGTH_MAX && !tooLong;
      tooLong = length > LENGTH_MAX;
    }
    if (isNew) {
      LOG.warn("The notes for the next leader are too long for the lease. characters={}", length);
    }
    return length > LENGTH_MAX ? Map.of() : now;
  }

  /** The notes that were taken last are stored. */
  void stored() {
    List<CompletableFuture<Boolean>> told;
    boolean written;
    synchronized (lock) {
      told = inWriting;
      inWriting = new ArrayList<>();
      written = !tooLong;
    }
    told.forEach(each -> each.complete(written));
  }

  /** Nothing is written any more. */
  void end() {
    List<CompletableFuture<Boolean>> told;
    synchronized (lock) {
      told = inWriting;
      told.addAll(waiting);
      inWriting = new ArrayList<>();
      waiting = new ArrayList<>();
    }
    told.forEach(each -> each.complete(false));
  }
}
