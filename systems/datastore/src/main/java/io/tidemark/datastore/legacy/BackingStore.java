package io.tidemark.datastore.legacy;

import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.DatastoreError;
import io.tidemark.datastore.RecoveryOutcome;
import io.tidemark.datastore.RecoveryRules;
import io.tidemark.datastore.StoreRefusal;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.checkpoint.Checkpointer;
import io.tidemark.datastore.checkpoint.MigrationPhase;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads what a store begins with, where blocking requests run. */
final class BackingStore {
  private static final String FAILED = "failed ipam state recovery from backing store";

  private final EffectRunner effects;
  private final Checkpointer file;
  private final MigrationPhase phase;
  private final SandboxSource sandboxes;

  BackingStore(
      EffectRunner effects, Checkpointer file, MigrationPhase phase, SandboxSource sandboxes) {
    this.effects = effects;
    this.file = file;
    this.phase = phase;
    this.sandboxes = sandboxes;
  }

  /** Ends with why the store serves nothing, or empty; never exceptionally. */
  CompletionStage<Optional<StoreRefusal>> readInto(DataStore store, RecoveryRules rules) {
    return effects
        .run(new EffectSite("datastore read", ""), TaskScheduler.CENTURY, this::read)
        .stage()
        .handle(
            (read, thrown) ->
                read == null
                    ? refused(file.name() + " cannot be read: " + thrown)
                    : take(read, store, rules))
        .thenCompose(end -> end);
  }

  private CompletionStage<Optional<StoreRefusal>> take(
      Read read, DataStore store, RecoveryRules rules) {
    if (read instanceof Read.Refused refusal) {
      return CompletableFuture.completedStage(Optional.of(StoreRefusal.unreadable(refusal)));
    }
    return store
        .recover(data(read), rules.withPhase(phase))
        .thenApply(
            outcome ->
                outcome instanceof RecoveryOutcome.Failed failed
                    ? Optional.of(failed.refusal())
                    : Optional.empty());
  }

  private Read read() throws Exception {
    return phase.readsFile()
        ? file.restore()
        : new Read.Current(MigrationPhase.checkpoint(sandboxes.ready()));
  }

  private static CheckpointData data(Read read) {
    if (read instanceof Read.Current current) {
      return current.data();
    }
    return read instanceof Read.Previous previous ? previous.data() : CheckpointData.EMPTY;
  }

  private static CompletionStage<Optional<StoreRefusal>> refused(String why) {
    return CompletableFuture.completedStage(
        Optional.of(new StoreRefusal(DatastoreError.CHECKPOINT_FAILED, FAILED, why)));
  }
}
