package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.cloud.CloudSource;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.NodePodCidrs;
import io.tidemark.nodecidr.ledger.RangeUsage;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Gives each node of a cluster one block of pod addresses per family, from {@link #start} to {@link
 * #stop}. Owns no thread. Any thread may call; nothing blocks.
 *
 * <p>One process at a time may be started on the same nodes: the one that holds the lease. The
 * others can {@link #standBy} to have read the nodes when they take over.
 */
public final class NodeCidrController {
  /** The name of the note in the lease. */
  public static final String NOTE = "node-cidr";

  private final ControllerState state;
  private final ControllerParts parts;
  private final boolean strictStart;
  private final boolean followsCloud;
  private final CompletableFuture<Void> synced = new CompletableFuture<>();
  private final CompletableFuture<Boolean> started = new CompletableFuture<>();

  /**
   * Reads and writes nothing before {@link #standBy} or {@link #start}.
   *
   * @param cloud where ranges of instances come from or go to; empty where blocks of nodes come
   *     from ranges of the cluster alone
   * @param publisher writes {@link #notes} to the lease now, as they are from this call on; ends
   *     with whether they are stored, never exceptionally. The next leader can know from them how
   *     far blocks were given out. Empty where there is no lease
   */
  public NodeCidrController(
      ControllerSettings settings,
      ControllerParts parts,
      Optional<CloudSource> cloud,
      Optional<Supplier<CompletionStage<Boolean>>> publisher) {
    this.state = new ControllerState(settings, parts, cloud, publisher);
    this.followsCloud = cloud.isPresent();
    this.parts = parts;
    this.strictStart = settings.strictStart();
    ControllerMeters.show(state, parts);
  }

  /**
   * The notes of the lease for the next leader, by name: none before this controller has something
   * to say, so that what a former leader said stays. After {@link #stop} it may say that this one
   * ended in order.
   */
  public Map<String, String> notes() {
    return state.note.flatMap(LeaseNote::text).map(text -> Map.of(NOTE, text)).orElse(Map.of());
  }

  /**
   * Calls {@code changed} with the name of each node that is new, gone or changed its state or
   * CIDRs; one listener, on the lanes, which it must not block.
   */
  public void onChange(Consumer<String> changed) {
    state.tell(changed);
  }

  /** Begins to read the nodes, and does nothing else before {@link #start}. Idempotent. */
  public void standBy() {
    state.reconciler.watch(() -> List.of(parts.nodes().watch(new Feed())));
  }

  /**
   * Begins to assign: reads all nodes as they are from now on, claims the CIDRs that they have, and
   * then gives blocks to those without any. Only while no other process does the same.
   *
   * @param before asked once, when all nodes are known
   * @return false when it was stopped before; a second call returns the same. Ends exceptionally
   *     with {@link NodeCidrError#START_REFUSED} when the start is strict and CIDRs of nodes are
   *     not in order; then nothing is done
   */
  public CompletionStage<Boolean> start(Supplier<CidrTakeOver> before) {
    standBy();
    state.reconciler.start(this::list, () -> begin(before.get()));
    return started;
  }

  /** It also waits for the watch, which alone tells of nodes that cannot be read. */
  private CompletionStage<CatchUp> list() {
    long interruptions = parts.nodes().interruptions();
    return parts
        .nodes()
        .catchUp(parts.effects())
        .thenCombine(
            synced,
            (end, delivered) -> {
              state.freshList.begin(interruptions);
              return end;
            });
  }

  /** Whether it was started and nothing is queued or in flight: the next step is not its own. */
  public boolean isSettled() {
    return state.reconciler.isSettled();
  }

  /** The state of all nodes, by name; none before the start. */
  public List<CidrNodeReport> nodes() {
    return state.reports().sorted(Comparator.comparing(report -> report.node().name())).toList();
  }

  /** The use of each range, in the order of the families. */
  public List<RangeUsage> ranges() {
    return state.ledger.usage();
  }

  /** Why no node gets CIDRs now, such as a second allocator; empty when that is not so. */
  public Optional<NodeProblem> paused() {
    return state.pause.reason();
  }

  /** The state of one node; empty when there is no such node, and before the start. */
  public Optional<CidrNodeReport> report(String name) {
    return state.reconciler.find(name).flatMap(CidrNodeWork::report);
  }

  /**
   * Ends it: no request begins any more, and those in flight end, each within its bound. The
   * program releases its lease afterwards.
   *
   * @return ends with the last of them: the names of the nodes whose last write had no result, so
   *     that it may have had its effect, or have it later; never exceptionally
   */
  public CompletionStage<List<String>> stop() {
    return state
        .reconciler
        .stop()
        .thenApply(
            unknown -> {
              started.complete(false);
              if (unknown.isEmpty()) {
                state.note.ifPresent(LeaseNote::end);
              }
              return unknown;
            });
  }

  private void begin(CidrTakeOver before) {
    List<ClusterNode> nodes =
        parts.nodes().names().stream()
            .flatMap(name -> parts.nodes().latest(name).stream())
            .toList();
    StartPass pass = StartPass.claim(state.ledger, nodes);
    if (strictStart && !pass.findings().isEmpty()) {
      started.completeExceptionally(
          new IpamException(NodeCidrError.START_REFUSED, pass.problems()));
      return;
    }
    takeOver(before);
    state.note.ifPresentOrElse(
        note ->
            note.publishFirst()
                .thenRun(() -> serve(nodes, pass))
                .exceptionally(
                    thrown -> {
                      started.completeExceptionally(thrown);
                      return null;
                    }),
        () -> serve(nodes, pass));
  }

  private void takeOver(CidrTakeOver before) {
    CidrLedger ledger = state.ledger;
    long now = parts.now();
    Optional<HandOver> note = before.note().flatMap(HandOver::parse);
    if (before.hold().isPresent()) {
      long until = now + before.hold().get().toNanos();
      Map<Cidr, Long> from =
          note.filter(it -> !it.ended()).map(it -> it.positions(ledger.cidrs())).orElse(Map.of());
      ledger.rounds().withholdUntil(until, from);
      parts.scheduler().at(until, state::wake);
    } else {
      note.ifPresent(it -> ledger.rounds().resumeAt(it.positions(ledger.cidrs())));
      note.ifPresent(it -> it.cooling().forEach(node -> ledger.cool(node, now)));
    }
  }

  private void serve(List<ClusterNode> nodes, StartPass pass) {
    if (state.pause.reason().isEmpty() && !followsCloud) {
      pass.reserve(state.ledger, parts.now());
    }
    if (!state.reconciler.activate()) {
      return;
    }
    state.follow();
    Set<String> since = new HashSet<>(parts.nodes().names());
    for (ClusterNode node : nodes) {
      since.remove(node.name());
      state.reconciler.post(node.name(), work -> work.begin(node));
    }
    since.forEach(state.reconciler::step);
    started.complete(true);
  }

  /**
   * The first work of a controller: it claims the CIDRs of all nodes, those that are being deleted
   * too, and only then reserves blocks for the nodes that lack some, the oldest first.
   */
  private record StartPass(List<NodeProblem.At> findings, List<ClusterNode> lacking) {
    static StartPass claim(CidrLedger ledger, List<ClusterNode> nodes) {
      List<ClusterNode> ordered = nodes.stream().sorted(ClusterNode.OLDEST_FIRST).toList();
      List<NodeProblem.At> findings = new ArrayList<>();
      List<ClusterNode> lacking = new ArrayList<>();
      for (ClusterNode node : ordered) {
        NodePodCidrs read =
            NodePodCidrs.read(ledger.cidrs(), node.podCidrs().first(), node.podCidrs().all());
        Stream.concat(
                read.findings().stream(), ledger.claim(NodeOwner.of(node), read.cidrs()).stream())
            .forEach(each -> findings.add(new NodeProblem.At(node.name(), each)));
        boolean lacks =
            node.podCidrs().isEmpty()
                || (ledger.isIncomplete(NodeOwner.of(node)) && isReadable(read.findings()));
        if (lacks && !node.beingDeleted() && !node.exempt()) {
          lacking.add(node);
        }
      }
      return new StartPass(findings, lacking);
    }

    /** Whether no CIDR may be of a family that seems to be missing. */
    private static boolean isReadable(List<NodeProblem> findings) {
      return findings.stream().noneMatch(each -> each.code() == NodeCidrError.CIDR_UNREADABLE);
    }

    /** Reserves blocks for the nodes without any, in their order, as far as there are blocks. */
    void reserve(CidrLedger ledger, long now) {
      lacking.forEach(node -> ledger.reserve(NodeOwner.of(node), now));
    }

    String problems() {
      return findings.stream()
          .map(each -> "node " + each.node() + ": " + each.problem().message())
          .collect(Collectors.joining("; ", "CIDRs of nodes have problems: ", ""));
    }
  }

  /** The events of the store, on its thread: goes to the lanes of the nodes. */
  private final class Feed implements ObjectWatcher<ClusterNode> {
    private final Set<String> refused = new HashSet<>();

    @Override
    public void upserted(ClusterNode node) {
      boolean news = readable(node.name());
      boolean same =
          state.reconciler.find(node.name()).filter(known -> known.isNoNews(node)).isPresent();
      if (state.reconciler.isActive() && (news || !same)) {
        state.reconciler.step(node.name());
      }
    }

    @Override
    public void deleted(String name) {
      readable(name);
      if (state.reconciler.isActive()) {
        state.reconciler.step(name);
      }
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      refused.add(name);
      if (parts.nodes().latest(name).isEmpty()) {
        state.pause.unread(name);
      }
      String detail = problems.stream().map(Object::toString).collect(Collectors.joining("; "));
      parts.events().report(name, NodeCidrError.CIDR_UNREADABLE, detail);
    }

    private boolean readable(String name) {
      if (!refused.remove(name)) {
        return false;
      }
      parts.events().cleared(name, NodeCidrError.CIDR_UNREADABLE);
      state.read(name);
      return true;
    }

    @Override
    public void synced() {
      synced.complete(null);
    }
  }
}
