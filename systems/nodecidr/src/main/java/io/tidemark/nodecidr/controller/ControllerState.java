package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.cluster.run.KeyedReconciler;
import io.tidemark.metrics.Metric;
import io.tidemark.nodecidr.cloud.CloudSource;
import io.tidemark.nodecidr.controller.CidrStep.Need;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.time.Cancellable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts that the nodes of one controller share, and what concerns more than one of them: blocks
 * that become free, pauses, lists, the lease and the cooldowns. Thread-safe.
 */
final class ControllerState {
  final CidrLedger ledger;
  final AllocationPause pause;
  final KeyedReconciler<CidrNodeWork> reconciler;
  final FreshList freshList;

  /** Tells the next leader how far blocks are given out; empty where there is no lease. */
  final Optional<LeaseNote> note;

  private final ControllerParts parts;
  private final Consequences consequences = new Consequences();
  private final Object lock = new Object();

  /** Runs when the next cooldown is over, at {@code dueNanos}; null for none. */
  private @Nullable Cancellable cooldown;

  private long dueNanos;
  private volatile Consumer<String> listener = name -> {};

  ControllerState(
      ControllerSettings settings,
      ControllerParts parts,
      Optional<CloudSource> cloud,
      Optional<Supplier<CompletionStage<Boolean>>> publisher) {
    this.parts = parts;
    this.pause = new AllocationPause(settings.manager());
    this.ledger =
        new CidrLedger(
            settings.cidrs(),
            settings.cooldown(),
            (range, passedOver) ->
                parts
                    .metrics()
                    .record(Metric.CIDRSET_TRIES, (double) passedOver, range.toString()));
    CidrRequests requests = new CidrRequests(parts, settings, ledger, pause, consequences);
    CidrNodeWork.Shared shared =
        new CidrNodeWork.Shared(
            parts,
            ledger,
            new CidrSteps(ledger, pause, this::isListFresh, consequences),
            requests,
            consequences,
            cloud.isPresent(),
            () -> cloud.map(this::sync),
            this::need,
            this::follow,
            name -> listener.accept(name));
    this.reconciler =
        new KeyedReconciler<>(
            parts.executor(),
            settings.parallelRequests(),
            parts.scheduler(),
            parts.random(),
            requests.slots(),
            name -> new CidrNodeWork(name, shared));
    this.freshList = new FreshList(parts, reconciler, this::resumeAll);
    this.note =
        publisher.map(it -> new LeaseNote(ledger, reconciler, parts.scheduler(), it, this::resume));
  }

  void tell(Consumer<String> changed) {
    listener = changed;
  }

  private boolean isListFresh() {
    return freshList.isThere();
  }

  private CloudSync sync(CloudSource source) {
    return new CloudSync(source, ledger, pause, parts.nodes().keepsConditions(), parts.random());
  }

  private void need(Need need, String name) {
    if (need == Need.LIST) {
      freshList.need();
    } else if (need == Need.NOTE) {
      note.ifPresent(it -> it.await(name));
    }
  }

  /** A node can be read, or is gone. */
  void read(String name) {
    if (pause.read(name) && reconciler.isActive()) {
      resumeAll();
    }
  }

  /** Does what was decided about one node means for others. */
  void follow() {
    consequences.takeNames().forEach(reconciler::step);
    if (pause.takeBegun()) {
      awaitQuiet();
      reconciler.names().forEach(reconciler::step); // nodes that wait report why
    }
    if (consequences.takeFreed()) {
      wake();
    }
    note.ifPresent(LeaseNote::keepAhead);
    awaitCooldown();
  }

  /** Gives blocks that are free to those who have waited longest. */
  void wake() {
    if (!reconciler.isActive() || pause.reason().isPresent()) {
      return;
    }
    List<NodeOwner> servable = ledger.servable(parts.now());
    if (!servable.isEmpty() && !freshList.isThere()) {
      freshList.need();
      return;
    }
    for (NodeOwner owner : servable) {
      ledger.reserve(owner, parts.now());
      reconciler.post(owner.name(), work -> work.granted(owner));
    }
    note.ifPresent(LeaseNote::keepAhead);
  }

  private void resumeAll() {
    resume(reconciler.names());
  }

  private void resume(Iterable<String> names) {
    wake();
    names.forEach(name -> reconciler.post(name, CidrNodeWork::resume));
  }

  private void awaitQuiet() {
    parts.scheduler().at(pause.untilNanos(), this::quiet);
  }

  private void quiet() {
    if (reconciler.isStopped()) {
      return;
    }
    if (pause.ends(parts.now())) {
      resumeAll();
    } else {
      awaitQuiet();
    }
  }

  /** A cooldown has begun or ended: the timer is for the first of them. */
  private void awaitCooldown() {
    OptionalLong due = ledger.nextDueNanos();
    synchronized (lock) {
      if (due.isEmpty() || (cooldown != null && dueNanos - due.getAsLong() <= 0)) {
        return;
      }
      if (cooldown != null) {
        cooldown.cancel();
      }
      dueNanos = due.getAsLong();
      cooldown = parts.scheduler().at(dueNanos, this::cooled);
    }
  }

  private void cooled() {
    synchronized (lock) {
      cooldown = null;
    }
    if (reconciler.isActive()) {
      for (NodeOwner owner : ledger.due(parts.now())) {
        reconciler.post(owner.name(), work -> work.cooled(owner));
      }
      awaitCooldown();
    }
  }
}
