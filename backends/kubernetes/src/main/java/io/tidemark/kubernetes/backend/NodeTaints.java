package io.tidemark.kubernetes.backend;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.cluster.TaintedNodes;
import io.tidemark.cluster.run.KeyedReconciler;
import io.tidemark.cluster.run.KeyedReconciler.End;
import io.tidemark.cluster.run.KeyedReconciler.Request;
import io.tidemark.cluster.run.KeyedReconciler.Rest;
import io.tidemark.cluster.run.KeyedReconciler.Step;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.time.BackoffPolicy;
import io.tidemark.time.BackoffState;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.RequestSlots;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the taint and the condition of Kubernetes Nodes by the last call for each: one request at
 * a time for a node, on its newest version, retried after a pause until it succeeds. A taint that
 * others remove is set again after a pause that grows each time. Thread-safe; never blocks.
 */
final class NodeTaints implements TaintedNodes, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeTaints.class);
  private static final int REQUESTS = 2;

  private final Optional<Duration> delay;
  private final ClusterNodes nodes;
  private final EffectRunner effects;
  private final Duration timeout;
  private final TaskScheduler scheduler;
  private final RandomGenerator random;
  private final RequestSlots slots = new RequestSlots(REQUESTS);
  private final KeyedReconciler<Item> reconciler;
  private final AtomicBoolean saidRefused = new AtomicBoolean();

  /** The last word on a node, until it shows that it has none; a reason keeps pods away. */
  private final ConcurrentMap<String, Optional<NodeProblem>> said = new ConcurrentHashMap<>();

  /**
   * Over the Nodes of a cluster; writes nothing before something is said.
   *
   * @param delay as {@link TaintedNodes#delay} has it
   * @param effects runs the requests, each for {@code timeout} at most
   */
  NodeTaints(
      Optional<Duration> delay,
      ClusterNodes nodes,
      EffectRunner effects,
      Duration timeout,
      Executor executor,
      TaskScheduler scheduler,
      RandomGenerator random) {
    this.delay = delay;
    this.nodes = nodes;
    this.effects = effects;
    this.timeout = timeout;
    this.scheduler = scheduler;
    this.random = random;
    this.reconciler =
        new KeyedReconciler<>(executor, 1, scheduler, random, List.of(slots), Item::new);
    reconciler.activate();
  }

  @Override
  public Optional<Duration> delay() {
    return delay;
  }

  @Override
  public void exhausted(String node, NodeProblem why) {
    say(node, Optional.of(why));
  }

  @Override
  public void available(String node) {
    if (isTainted(node) || said.containsKey(node)) {
      say(node, Optional.empty());
    }
  }

  private void say(String node, Optional<NodeProblem> why) {
    said.put(node, why);
    reconciler.step(node);
  }

  @Override
  public boolean isTainted(String node) {
    Optional<NodeProblem> last = said.get(node);
    return last != null
        ? last.isPresent()
        : nodes.latest(node).filter(it -> !it.scheduling().isClear()).isPresent();
  }

  @Override
  public List<String> tainted() {
    return nodes.tainted();
  }

  /** A node is new, changed or gone. */
  void changed(String node) {
    if (said.containsKey(node)) {
      reconciler.step(node);
    }
  }

  @Override
  public void close() {
    reconciler.stop();
  }

  /** A node of which something was said. */
  private final class Item implements KeyedReconciler.Item {
    private final String name;

    /** Whether it had the taint after our last request, and how often others removed it. */
    private boolean set;

    private BackoffState removals = BackoffState.NONE;
    private long notBeforeNanos;

    Item(String name) {
      this.name = name;
    }

    @Override
    public Map<String, Step> steps() {
      Optional<NodeProblem> why = said.get(name);
      Optional<ClusterNode> node = nodes.latest(name);
      if (why == null) {
        return Map.of();
      }
      if (node.isEmpty() || (why.isEmpty() && node.get().scheduling().isClear())) {
        if (why.isEmpty()) {
          said.remove(name, why);
        }
        return Map.of();
      }
      return Map.of(node.get().uid(), step(node.get(), why));
    }

    private Step step(ClusterNode node, Optional<NodeProblem> why) {
      ClusterNode.Scheduling shown = node.scheduling();
      if (shown.isTainted() && why.isEmpty()) {
        set = false;
        return request("taintNode", it -> it.taint(node, false));
      }
      if (!shown.isTainted() && why.isPresent()) {
        return pause().orElseGet(() -> request("taintNode", it -> it.taint(node, true)));
      }
      set = shown.isTainted();
      return shown.unavailableReason().equals(why.map(ClusterNodes::reason))
          ? Rest.QUIET
          : request("podAddresses", it -> it.podAddresses(node, why));
    }

    /** Where others removed the taint a moment ago. */
    private Optional<Step> pause() {
      long now = scheduler.time().nanos();
      if (set) {
        set = false;
        removals = removals.failed(BackoffPolicy.DEFAULT, now);
        notBeforeNanos = now + BackoffPolicy.DEFAULT.pause(removals.failures(), random).toNanos();
      }
      return removals.failures() > 0 && notBeforeNanos - now > 0
          ? Optional.of(new Rest(OptionalLong.of(notBeforeNanos)))
          : Optional.empty();
    }

    private Step request(String operation, Function<ClusterNodes, NodeChange> change) {
      return new Request(
          slots,
          () ->
              effects
                  .run(new EffectSite(operation, name), timeout, () -> change.apply(nodes))
                  .stage()
                  .handle(
                      (end, thrown) ->
                          () ->
                              ended(
                                  thrown == null
                                      ? end
                                      : new NodeChange.Unknown(String.valueOf(thrown)))));
    }

    private End ended(NodeChange change) {
      if (change instanceof NodeChange.Accepted) {
        saidRefused.set(false);
        return End.DONE;
      }
      if (change instanceof NodeChange.Refused refused) {
        if (saidRefused.compareAndSet(false, true)) {
          LOG.warn(
              "The taint of nodes without addresses cannot be written. node={} cause={} remedy={}",
              name,
              refused.detail(),
              delay.isPresent()
                  ? "Correct the cause; deploy/taint-exhausted has the rights that it needs."
                  : "Run tidemark doctor --untaint to remove the taints that are left.");
        }
        if (delay.isEmpty()) { // asked again after the next scan
          said.remove(name);
          return End.DONE;
        }
        return End.PARKED;
      }
      return End.AGAIN;
    }

    @Override
    public boolean isEmpty() {
      return !said.containsKey(name);
    }

    @Override
    public boolean hasUnknown() {
      return false;
    }
  }
}
