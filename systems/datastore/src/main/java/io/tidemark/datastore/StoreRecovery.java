package io.tidemark.datastore;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.Checkpointer;
import io.tidemark.file.Commit;
import io.tidemark.file.GroupCommit;
import io.tidemark.ip.IpAddress;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The start of a store: takes up what a checkpoint says and opens the file for writing. What it
 * finds no address for stays an orphan, until the cloud confirms that the node does not have it.
 */
final class StoreRecovery {
  private final StoreState state;
  private final StoreChanges changes;
  private final TimeSource time;
  private final CooldownRule cooldown;
  private final @Nullable FileLog file;
  private @Nullable CompletionStage<RecoveryOutcome> recovered;

  /** How long an orphan is kept at least. */
  private Duration grace = RecoveryRules.GRACE;

  record FileLog(EffectRunner effects, Checkpointer file, String bootId) {}

  StoreRecovery(
      StoreState state,
      StoreChanges changes,
      TimeSource time,
      CooldownRule cooldown,
      @Nullable FileLog file) {
    this.state = state;
    this.changes = changes;
    this.time = time;
    this.cooldown = cooldown;
    this.file = file;
  }

  CompletionStage<RecoveryOutcome> recover(CheckpointData data, RecoveryRules rules) {
    Recovery.Living living = Recovery.Living.of(data, rules);
    final RecoveryReport report;
    CompletableFuture<RecoveryOutcome> end = new CompletableFuture<>();
    synchronized (state) {
      if (recovered != null) {
        return recovered;
      }
      recovered = end;
      grace = rules.grace();
      Optional<StoreRefusal> refusal = Recovery.refusal(state.pool, living, rules);
      if (refusal.isPresent()) {
        changes.close();
        return done(end, new RecoveryOutcome.Failed(refusal.get()));
      }
      Recovery recovery =
          Recovery.into(state.pool, data, living, rules, time.nanos(), time.epochMillis());
      state.orphans.addAll(recovery.orphans());
      report = recovery.report();
      rules.unnoted().ifPresent(age -> noteUnrecorded(report.cooling(), age));
      if (file != null) {
        changes.open(log(file, data, recovery));
      }
    }
    changes
        .submit(new StoreChange.Nothing())
        .thenAccept(commit -> done(end, recovered(report, commit, rules)));
    return end;
  }

  /** They have cooled for {@code age} already. */
  private void noteUnrecorded(int cooling, Duration age) {
    state.unrecorded = cooling;
    state.unrecordedUntil = time.nanos() + cooldown.period().minus(age).toNanos();
  }

  private static CompletionStage<RecoveryOutcome> done(
      CompletableFuture<RecoveryOutcome> end, RecoveryOutcome outcome) {
    end.complete(outcome);
    return end;
  }

  private GroupCommit<StoreChange> log(FileLog to, CheckpointData data, Recovery recovery) {
    return new GroupCommit<>(
        to.effects(),
        new EffectSite("datastore write", ""),
        time,
        content -> state.meters.write(to.file(), content, time),
        to.file().name(),
        new CheckpointContent(
            time,
            cooldown.period(),
            to.bootId(),
            data,
            recovery,
            changes -> state.meters.batch(changes)));
  }

  private RecoveryOutcome recovered(RecoveryReport report, Commit commit, RecoveryRules rules) {
    if (!(commit instanceof Commit.Failed failed)) {
      return new RecoveryOutcome.Recovered(report, Optional.empty());
    }
    if (rules.phase().readsFile()) {
      return new RecoveryOutcome.Recovered(report, Optional.of(failed.reason()));
    }
    changes.close();
    return new RecoveryOutcome.Failed(StoreRefusal.notWritten(failed.reason()));
  }

  /** Forgets orphans that the cloud confirms not to be here, after a while; how many. */
  int confirmDetached(Collection<IpAddress> addresses) {
    List<StoreChange> gone = new ArrayList<>();
    synchronized (state) {
      long now = time.nanos();
      for (Orphan orphan : List.copyOf(state.orphans)) {
        boolean confirmed = orphan.address().filter(addresses::contains).isPresent();
        if (confirmed && now - orphan.sinceNanos() >= grace.toNanos()) {
          state.orphans.remove(orphan);
          gone.add(new StoreChange.OrphanGone(orphan.entry()));
        }
      }
    }
    gone.forEach(changes::note);
    return gone.size();
  }
}
