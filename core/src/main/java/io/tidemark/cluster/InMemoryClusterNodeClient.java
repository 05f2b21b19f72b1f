package io.tidemark.cluster;

import io.tidemark.cluster.InMemoryClusterNodes.Interference;
import io.tidemark.cluster.InMemoryClusterNodes.Listed;
import io.tidemark.cluster.InMemoryClusterNodes.Request;
import io.tidemark.cluster.InMemoryClusterNodes.Versioned;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client of {@link InMemoryClusterNodes}. It remembers the newest version of each node that it
 * answered or delivered, and neither answers nor delivers an older one. Changes wait in one queue
 * for its watch, and each has one task of the scheduler that takes the queue's head.
 */
final class InMemoryClusterNodeClient implements ClusterNodeStore {
  private static final Duration LIST_MAX = Duration.ofSeconds(30);

  private final InMemoryClusterNodes server;
  private final String writer;
  private final TaskScheduler scheduler;
  private final DeliveryDelay delay;
  private final Interference interference;
  private final int waitingMax;

  /** Held while the watcher is called, so that calls come one at a time. */
  private final Object delivery = new Object();

  private final Object lock = new Object();
  private final Map<String, Versioned> known = new HashMap<>();
  private final Queue<Batch> queue = new ArrayDeque<>();
  private @Nullable ObjectWatcher<ClusterNode> watcher;
  private boolean synced;
  private int unscheduled;
  private long lastDueNanos;

  /**
   * The changes that the watch gets at once.
   *
   * @param isList whether it is all nodes of one moment, so that others are gone
   */
  private record Batch(List<Versioned> changes, boolean isList) {}

  InMemoryClusterNodeClient(
      InMemoryClusterNodes server,
      String writer,
      TaskScheduler scheduler,
      DeliveryDelay delay,
      Interference interference,
      int waitingMax) {
    this.server = server;
    this.writer = writer;
    this.scheduler = scheduler;
    this.delay = delay;
    this.interference = interference;
    this.waitingMax = waitingMax;
    this.lastDueNanos = scheduler.time().nanos();
  }

  @Override
  public Optional<ClusterNode> latest(String name) {
    synchronized (lock) {
      return Optional.ofNullable(known.get(name)).flatMap(Versioned::node);
    }
  }

  @Override
  public List<String> names() {
    synchronized (lock) {
      return known.values().stream()
          .filter(each -> each.node().isPresent())
          .map(Versioned::name)
          .toList();
    }
  }

  @Override
  public Reading get(String name) {
    Optional<NodeChange> instead = interference.before(Request.GET, name);
    if (instead.isPresent()) {
      return new Reading.Failed(instead.get().toString());
    }
    return learn(server.read(name))
        .node()
        .<Reading>map(Reading.Found::new)
        .orElseGet(Reading.Absent::new);
  }

  @Override
  public NodeChange assignPodCidrs(String name, String uid, List<Cidr> cidrs) {
    ClusterNodeStore.requireOnePerFamily(cidrs);
    return change(Request.ASSIGN, name, () -> server.assign(writer, name, uid, cidrs));
  }

  @Override
  public NodeChange networkAvailable(String name, String uid) {
    return change(Request.NETWORK_AVAILABLE, name, () -> server.networkAvailable(name, uid));
  }

  @Override
  public NodeChange annotate(ClusterNode seen, Map<String, String> annotations) {
    ClusterNodeStore.requireOwnNames(annotations);
    return change(Request.ANNOTATE, seen.name(), () -> server.annotate(seen, annotations));
  }

  private NodeChange change(Request request, String name, Supplier<NodeChange> served) {
    NodeChange ended = interference.before(request, name).orElseGet(served);
    if (ended instanceof NodeChange.Accepted accepted) {
      ClusterNode node = accepted.node();
      Versioned stored = new Versioned(Long.parseLong(node.version()), name, Optional.of(node));
      learn(stored);
    }
    return ended;
  }

  @Override
  public CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    return effects
        .run(new EffectSite("list", ""), LIST_MAX, this::list)
        .stage()
        .handle((end, thrown) -> thrown == null ? end : new CatchUp.Failed(String.valueOf(thrown)));
  }

  private CatchUp list() {
    Optional<NodeChange> instead = interference.before(Request.LIST, "");
    if (instead.isPresent()) {
      return new CatchUp.Failed(instead.get().toString());
    }
    Listed all = server.list();
    synchronized (lock) {
      Set<String> absent = new HashSet<>(known.keySet());
      for (Versioned each : all.nodes()) {
        learn(each);
        absent.remove(each.name());
      }
      for (String name : absent) {
        learn(new Versioned(all.version(), name, Optional.empty()));
      }
      if (watcher != null) {
        offerList(all.nodes());
      }
    }
    schedule();
    return new CatchUp.Done();
  }

  @Override
  public Watch watch(ObjectWatcher<ClusterNode> added) {
    synchronized (lock) {
      if (watcher != null) {
        throw new IllegalStateException("this client is watched already; close that watch first");
      }
      watcher = new DistinctNodes(added);
      synced = false;
    }
    server.subscribe(this);
    return this::unwatch;
  }

  private void unwatch() {
    server.unsubscribe(this);
    synchronized (delivery) {
      synchronized (lock) {
        watcher = null;
        queue.clear();
      }
    }
  }

  /**
   * Queues one change. In the order of versions.
   *
   * @return whether too many wait, so that a list must follow in their place
   */
  boolean offer(Versioned change) {
    synchronized (lock) {
      if (queue.size() >= waitingMax) {
        return true;
      }
      queue.add(new Batch(List.of(change), false));
      unscheduled++;
      return false;
    }
  }

  /** Queues all nodes, in place of what waits. */
  void offerList(List<Versioned> nodes) {
    synchronized (lock) {
      queue.clear();
      queue.add(new Batch(nodes, true));
      unscheduled++;
    }
  }

  /** Gives what is queued its tasks; called without any lock. */
  void schedule() {
    while (true) {
      synchronized (lock) {
        if (unscheduled == 0) {
          return;
        }
        unscheduled--;
      }
      long due = scheduler.time().nanos() + Math.max(0, delay.nanos());
      synchronized (lock) {
        if (due - lastDueNanos < 0) {
          due = lastDueNanos;
        }
        lastDueNanos = due;
      }
      scheduler.at(due, this::deliverNext);
    }
  }

  private void deliverNext() {
    synchronized (delivery) {
      Batch next;
      ObjectWatcher<ClusterNode> current;
      boolean first;
      synchronized (lock) {
        next = queue.poll();
        current = watcher;
        first = !synced;
        synced = true;
      }
      if (next == null || current == null) {
        return;
      }
      if (next.isList()) {
        others(next.changes()).forEach(name -> forget(name, current));
      }
      next.changes().forEach(each -> deliver(each, current));
      if (first) {
        current.synced();
      }
    }
  }

  /** Names that a list lacks, however old it is. The watcher may not have been told of some. */
  private List<String> others(List<Versioned> listed) {
    synchronized (lock) {
      List<String> others = new ArrayList<>(known.keySet());
      listed.forEach(each -> others.remove(each.name()));
      return others;
    }
  }

  private void forget(String name, ObjectWatcher<ClusterNode> current) {
    tellFound(name, current);
    synchronized (lock) {
      known.computeIfPresent(name, (key, it) -> it.node().isPresent() ? null : it);
    }
    current.deleted(name);
  }

  /** A read may have found a node of which the watcher was not told. */
  private void tellFound(String name, ObjectWatcher<ClusterNode> current) {
    latest(name).ifPresent(current::upserted);
  }

  private void deliver(Versioned change, ObjectWatcher<ClusterNode> current) {
    if (change.node().isEmpty()) {
      tellFound(change.name(), current);
    }
    Versioned newest = learn(change);
    boolean gone = change.node().isEmpty() && newest.node().isEmpty();
    if (newest.version() != change.version() && !gone) {
      return; // that version is delivered later
    }
    change.node().ifPresentOrElse(current::upserted, () -> current.deleted(change.name()));
  }

  /** Remembers a version and answers the newest one known. */
  private Versioned learn(Versioned seen) {
    synchronized (lock) {
      Versioned before = known.get(seen.name());
      if (before != null && before.version() > seen.version()) {
        return before;
      }
      known.put(seen.name(), seen);
      return seen;
    }
  }
}
