package io.tidemark.datastore;

import io.tidemark.file.Commit;
import io.tidemark.file.GroupCommit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Where changes of what is assigned become durable: at once where there is no file, or in a file
 * once it has been read. Thread-safe; never blocks.
 */
final class StoreChanges {
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
    return to == null ? CompletableFuture.completedStage(new Commit.Durable()) : to.submit(change);
  }

  /** Hands over a change that is not taken back; a failed write is made up for by the next one. */
  void note(StoreChange change) {
    GroupCommit<StoreChange> to = file;
    if (to != null) {
      to.keep(change);
    }
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
