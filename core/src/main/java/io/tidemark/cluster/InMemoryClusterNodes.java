package io.tidemark.cluster;

import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * An API server of Kubernetes Nodes in memory: the nodes of a cluster with their uids and versions,
 * and a {@link ClusterNodeStore} per client. Versions are one increasing number over all nodes.
 * Thread-safe; the lock is held for a few map operations, never during a call of foreign code.
 *
 * <p>As the Kubernetes API does, a node without CIDRs takes some, also while it is being deleted; a
 * node that has CIDRs takes the same again, which makes no new version, and refuses others; a
 * change reaches the incarnation that it names alone.
 */
public final class InMemoryClusterNodes {
  /** Changes that wait for the watch of a client, unless it says otherwise. */
  private static final int WAITING_MAX = 100_000;

  private final TimeSource clock;
  private final Object lock = new Object();
  private final Map<String, ClusterNode> nodes = new HashMap<>();
  private final List<InMemoryClusterNodeClient> watching = new ArrayList<>();
  private long version;

  /** A server whose nodes were created by {@code clock}, in whole seconds. */
  public InMemoryClusterNodes(TimeSource clock) {
    this.clock = clock;
  }

  /** Intercepts requests of a client, to cause failures and races. */
  @FunctionalInterface
  public interface Interference {
    /** Intercepts nothing. */
    Interference NONE = (request, name) -> Optional.empty();

    /**
     * Called before each request is served, without a lock. It may change the nodes.
     *
     * @return the ending in place of serving the request, which makes a read fail; empty to serve
     *     it
     */
    Optional<NodeChange> before(Request request, String name);
  }

  /** A client's request. */
  public enum Request {
    GET,
    LIST,
    ASSIGN,
    NETWORK_AVAILABLE,
    ANNOTATE
  }

  /** A node, or the fact that there is none, at one version of the server. */
  record Versioned(long version, String name, Optional<ClusterNode> node) {}

  /** Every node of one moment, and the version of that moment. */
  record Listed(long version, List<Versioned> nodes) {}

  /** Every node of one moment, for {@link #relist}. */
  public record Snapshot(List<ClusterNode> nodes) {
    public Snapshot {
      nodes = List.copyOf(nodes);
    }
  }

  /** A client whose watch delivers without a delay of its own. */
  public ClusterNodeStore client(String writer, TaskScheduler scheduler) {
    return client(writer, scheduler, DeliveryDelay.NONE, Interference.NONE);
  }

  /**
   * A new client, independent of other clients.
   *
   * @param writer its name in the server's records
   * @param scheduler runs the deliveries of its watch, which keep their order
   */
  public ClusterNodeStore client(
      String writer, TaskScheduler scheduler, DeliveryDelay delay, Interference interference) {
    return client(writer, scheduler, delay, interference, WAITING_MAX);
  }

  /**
   * A new client whose watch breaks when it lags too far.
   *
   * @param waitingMax changes that may wait for its watch; one more, and a list of all nodes comes
   *     in their place
   */
  public ClusterNodeStore client(
      String writer,
      TaskScheduler scheduler,
      DeliveryDelay delay,
      Interference interference,
      int waitingMax) {
    return new InMemoryClusterNodeClient(this, writer, scheduler, delay, interference, waitingMax);
  }

  /** The nodes as they are now. */
  public Snapshot snapshot() {
    return new Snapshot(all());
  }

  /**
   * The watch of each client breaks, and begins again with a list from a server that lags: a node
   * that it lacks is shown as deleted, whether it is or not.
   *
   * @param shown what that server knows
   */
  public void relist(Snapshot shown) {
    List<Versioned> nodes =
        shown.nodes().stream()
            .map(
                node ->
                    new Versioned(Long.parseLong(node.version()), node.name(), Optional.of(node)))
            .toList();
    List<InMemoryClusterNodeClient> told;
    synchronized (lock) {
      told = List.copyOf(watching);
      told.forEach(client -> client.offerList(nodes));
    }
    told.forEach(InMemoryClusterNodeClient::schedule);
  }

  /**
   * Adds a node, as a kubelet does that registers: the server gives it its uid, version and time of
   * creation.
   *
   * @return as stored; empty when there is one of that name
   */
  public Optional<ClusterNode> create(ClusterNode node) {
    Versioned created;
    List<InMemoryClusterNodeClient> told;
    synchronized (lock) {
      if (nodes.containsKey(node.name())) {
        return Optional.empty();
      }
      long id = version + 1;
      created = put(node.withUid(new UUID(0, id).toString()).withCreated(now()));
      told = announce(created);
    }
    told.forEach(InMemoryClusterNodeClient::schedule);
    return created.node();
  }

  /**
   * Puts a node as a restore of the server from a backup does: no watch tells of it. One that is
   * there keeps its uid.
   */
  public ClusterNode restore(ClusterNode node) {
    synchronized (lock) {
      ClusterNode found = nodes.get(node.name());
      String uid = found == null ? "restored-" + node.name() : found.uid();
      return put(node.withUid(uid).withCreated(now())).node().orElseThrow();
    }
  }

  private Instant now() {
    return Instant.ofEpochSecond(Math.floorDiv(clock.epochMillis(), 1000L));
  }

  /** Removes a node; false when there is none of that name. */
  public boolean delete(String name) {
    List<InMemoryClusterNodeClient> told;
    synchronized (lock) {
      if (nodes.remove(name) == null) {
        return false;
      }
      told = announce(new Versioned(++version, name, Optional.empty()));
    }
    told.forEach(InMemoryClusterNodeClient::schedule);
    return true;
  }

  /**
   * Changes a node as others do, such as its kubelet; an equal one gets a new version as well, as a
   * heartbeat does. Name, uid and CIDRs stay.
   *
   * @return false when there is none of that name
   */
  public boolean change(String name, UnaryOperator<ClusterNode> change) {
    List<InMemoryClusterNodeClient> told;
    synchronized (lock) {
      ClusterNode found = nodes.get(name);
      if (found == null) {
        return false;
      }
      ClusterNode changed = change.apply(found);
      told = announce(put(changed.withUid(found.uid()).withPodCidrs(found.podCidrs())));
    }
    told.forEach(InMemoryClusterNodeClient::schedule);
    return true;
  }

  /** Assigns CIDRs as a program does that the server knows by {@code writer}. */
  public NodeChange assign(String writer, String name, String uid, List<Cidr> cidrs) {
    PodCidrs wanted = PodCidrs.of(cidrs, writer);
    return patch(
        name,
        uid,
        found -> {
          if (found.podCidrs().isEmpty()) {
            return Optional.of(found.withPodCidrs(wanted));
          }
          return Optional.of(found).filter(it -> it.podCidrs().all().equals(wanted.all()));
        },
        InMemoryClusterNodes::occupied);
  }

  NodeChange networkAvailable(String name, String uid) {
    return patch(
        name,
        uid,
        found -> Optional.of(found.withNetworkUnavailable(false)),
        InMemoryClusterNodes::occupied);
  }

  NodeChange annotate(ClusterNode seen, Map<String, String> annotations) {
    return patch(
        seen.name(),
        seen.uid(),
        found ->
            Optional.of(found.withAnnotations(annotations))
                .filter(changed -> found.version().equals(seen.version())),
        found -> new NodeChange.AskedToWait("node " + found.name() + " has another version"));
  }

  private static NodeChange occupied(ClusterNode found) {
    return new NodeChange.Occupied("node " + found.name() + " has " + found.podCidrs().texts());
  }

  /** {@code change} answers the node as it shall be; empty for the ending {@code otherwise}. */
  private NodeChange patch(
      String name,
      String uid,
      Function<ClusterNode, Optional<ClusterNode>> change,
      Function<ClusterNode, NodeChange> otherwise) {
    Versioned stored;
    List<InMemoryClusterNodeClient> told;
    synchronized (lock) {
      ClusterNode found = nodes.get(name);
      if (found == null || !found.uid().equals(uid)) {
        return new NodeChange.Gone();
      }
      Optional<ClusterNode> changed = change.apply(found);
      if (changed.isEmpty()) {
        return otherwise.apply(found);
      }
      if (changed.get().equals(found)) {
        return new NodeChange.Accepted(found);
      }
      stored = put(changed.get());
      told = announce(stored);
    }
    told.forEach(InMemoryClusterNodeClient::schedule);
    return new NodeChange.Accepted(stored.node().orElseThrow());
  }

  /** The node on the server. */
  public Optional<ClusterNode> find(String name) {
    return read(name).node();
  }

  /** All nodes on the server, by name. */
  public List<ClusterNode> all() {
    synchronized (lock) {
      return List.copyOf(new TreeMap<>(nodes).values());
    }
  }

  Versioned read(String name) {
    synchronized (lock) {
      ClusterNode found = nodes.get(name);
      long at = found == null ? version : Long.parseLong(found.version());
      return new Versioned(at, name, Optional.ofNullable(found));
    }
  }

  Listed list() {
    synchronized (lock) {
      return new Listed(version, new TreeMap<>(nodes).keySet().stream().map(this::read).toList());
    }
  }

  /** Shows the client what there is, and from now on what changes. */
  void subscribe(InMemoryClusterNodeClient client) {
    synchronized (lock) {
      watching.add(client);
      client.offerList(list().nodes());
    }
    client.schedule();
  }

  void unsubscribe(InMemoryClusterNodeClient client) {
    synchronized (lock) {
      watching.remove(client);
    }
  }

  private Versioned put(ClusterNode node) {
    ClusterNode stored = node.withVersion(Long.toString(++version));
    nodes.put(stored.name(), stored);
    return new Versioned(version, stored.name(), Optional.of(stored));
  }

  /** Queues a change for all who watch; they are scheduled after the lock was given back. */
  private List<InMemoryClusterNodeClient> announce(Versioned change) {
    List<InMemoryClusterNodeClient> told = List.copyOf(watching);
    for (InMemoryClusterNodeClient client : told) {
      if (client.offer(change)) {
        client.offerList(list().nodes());
      }
    }
    return told;
  }
}
