package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.cluster.run.KeyedReconciler;
import io.tidemark.metrics.Metric;
import io.tidemark.nodecidr.cloud.CloudSource;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.time.Cancellable;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
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

  final ControllerParts parts;
  final CidrSteps steps;
  final boolean followsCloud;
  private final Optional<CloudSource> cloud;
  private final Object lock = new Object();

  /** The names of nodes for which there may be other steps than before, each once. */
  private Set<String> reviewed = new LinkedHashSet<>();

  private boolean freed;

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
    this.cloud = cloud;
    this.followsCloud = cloud.isPresent();
    this.pause = new AllocationPause(settings.manager());
    this.ledger =
        new CidrLedger(
            settings.cidrs(),
            settings.cooldown(),
            (range, passedOver) ->
                parts
                    .metrics()
                    .record(Metric.CIDRSET_TRIES, (double) passedOver, range.toString()));
    CidrRequests requests = new CidrRequests(this, settings);
    this.steps = new CidrSteps(this, requests);
    this.reconciler =
        new KeyedReconciler<>(
            parts.executor(),
            settings.parallelRequests(),
            parts.scheduler(),
            parts.random(),
            requests.slots(),
            name -> new CidrNodeWork(name, this));
    this.freshList = new FreshList(parts, reconciler, this::resumeAll);
    this.note =
        publisher.map(it -> new LeaseNote(ledger, reconciler, parts.scheduler(), it, this::resume));
  }

  void tell(Consumer<String> changed) {
    listener = changed;
  }

  /** Takes the name of a node whose report is another one. */
  void changed(String name) {
    listener.accept(name);
  }

  /** The state of all nodes, in no order. */
  Stream<CidrNodeReport> reports() {
    return reconciler.items().flatMap(work -> work.report().stream());
  }

  /** The cloud's side of a new incarnation; empty where nodes follow no cloud. */
  Optional<CloudSync> cloudSync() {
    return cloud.map(
        source ->
            new CloudSync(source, ledger, pause, parts.nodes().keepsConditions(), parts.random()));
  }

  /** A decision may mean other steps for these nodes; {@link #follow} sees to it. */
  void review(Collection<NodeOwner> owners) {
    synchronized (lock) {
      owners.forEach(owner -> reviewed.add(owner.name()));
    }
  }

  /** Blocks may be free; {@link #follow} gives them out. */
  void freed() {
    synchronized (lock) {
      freed = true;
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
    Set<String> names;
    boolean free;
    synchronized (lock) {
      names = reviewed;
      reviewed = new LinkedHashSet<>();
      free = freed;
      freed = false;
    }
    names.forEach(reconciler::step);
    if (pause.takeBegun()) {
      awaitQuiet();
      reconciler.names().forEach(reconciler::step); // nodes that wait report why
    }
    if (free) {
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
