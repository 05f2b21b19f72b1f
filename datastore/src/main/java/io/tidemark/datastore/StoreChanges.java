package io.tidemark.datastore;

import io.tidemark.file.Commit;
import io.tidemark.file.GroupCommit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where changes of what is assigned become durable: at once where there is no file, or in a file
 * once it has been read. Thread-safe; never blocks.
 */
final class StoreChanges {
  private static final Logger LOG = LoggerFactory.getLogger(StoreChanges.class);

  private final Object lock = new Object();

  /** Changes that are not taken back, and whose write failed. */
  private final List<StoreChange> owed = new ArrayList<>();

  private volatile boolean open;
  private volatile @Nullable GroupCommit<StoreChange> file;

  /** Changes are as durable as the program. */
  static StoreChanges inMemory() {
    StoreChanges changes = new StoreChanges();
    changes.open = true;
    return changes;
  }

  /** Changes fail before the file is there. */
  static StoreChanges closed() {
    return new StoreChanges();
  }

  /** From now on changes are written to this file. */
  void open(GroupCommit<StoreChange> to) {
    file = to;
    open = true;
  }

  void close() {
    open = false;
  }

  boolean isOpen() {
    return open;
  }

  /** Hands over a change; ends when it is durable or has failed, never exceptionally. */
  CompletionStage<Commit> submit(StoreChange change) {
    GroupCommit<StoreChange> to = file;
    List<StoreChange> late;
    synchronized (lock) {
      late = List.copyOf(owed);
      owed.clear();
    }
    late.forEach(this::note);
    return to == null ? CompletableFuture.completedStage(new Commit.Durable()) : to.submit(change);
  }

  /** Hands over a change that is not taken back; a failed write is made up for by a later one. */
  void note(StoreChange change) {
    Object unused =
        submit(change)
            .thenAccept(
                commit -> {
                  if (commit instanceof Commit.Failed failed) {
                    LOG.warn("a change is written with a later one: {}", failed.reason());
                    synchronized (lock) {
                      owed.add(change);
                    }
                  }
                });
  }

  /** Why changes fail; empty when they do not. */
  Optional<String> unhealthy() {
    if (!open) {
      return Optional.of(StoreRefusal.notRecovered().detail());
    }
    GroupCommit<StoreChange> to = file;
    return to == null ? Optional.empty() : to.unhealthy();
  }
}
