package io.tidemark.cluster;

import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryObjects;
import io.tidemark.resource.InMemoryObjects.Versioned;
import io.tidemark.resource.InMemoryView;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * An API server of Kubernetes Nodes in memory: the nodes of a cluster with their uids and versions,
 * and a {@link ClusterNodeStore} per client. Thread-safe.
 *
 * <p>As the Kubernetes API does, a node without CIDRs takes some, also while it is being deleted; a
 * node that has CIDRs takes the same again, which makes no new version, and refuses others; a
 * change reaches the incarnation that it names alone.
 */
public final class InMemoryClusterNodes {
  /** Changes that wait for the watch of a client, unless it says otherwise. */
  private static final int WAITING_MAX = 100_000;

  private final TimeSource clock;
  private final InMemoryObjects<ClusterNode> nodes =
      new InMemoryObjects<>(ClusterNode::withVersion);

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
    return new Client(
        writer,
        interference,
        new InMemoryView<>(nodes, Optional.empty(), scheduler, delay, OptionalInt.of(waitingMax)));
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
    nodes.relist(shown.nodes().stream().map(InMemoryClusterNodes::versioned).toList());
  }

  private static Versioned<ClusterNode> versioned(ClusterNode node) {
    return new Versioned<>(Long.parseLong(node.version()), node.name(), node);
  }

  /**
   * Adds a node, as a kubelet does that registers: the server gives it its uid, version and time of
   * creation.
   *
   * @return as stored; empty when there is one of that name
   */
  public Optional<ClusterNode> create(ClusterNode node) {
    return nodes.atomically(
        () -> {
          if (find(node.name()).isPresent()) {
            return Optional.empty();
          }
          String uid = new UUID(0, nodes.version() + 1).toString();
          return nodes.put(node.name(), node.withUid(uid).withCreated(now())).found();
        });
  }

  /**
   * Puts a node as a restore of the server from a backup does: no watch tells of it. One that is
   * there keeps its uid.
   */
  public ClusterNode restore(ClusterNode node) {
    return nodes.atomically(
        () -> {
          String name = node.name();
          String uid = find(name).map(ClusterNode::uid).orElse("restored-" + name);
          return nodes.restore(name, node.withUid(uid).withCreated(now())).found().orElseThrow();
        });
  }

  private Instant now() {
    return Instant.ofEpochSecond(Math.floorDiv(clock.epochMillis(), 1000L));
  }

  /** Removes a node; false when there is none of that name. */
  public boolean delete(String name) {
    return nodes.remove(name);
  }

  /**
   * Changes a node as others do, such as its kubelet; an equal one gets a new version as well, as a
   * heartbeat does. Name, uid and CIDRs stay.
   *
   * @return false when there is none of that name
   */
  public boolean change(String name, UnaryOperator<ClusterNode> change) {
    return nodes.atomically(
        () -> {
          Optional<ClusterNode> found = find(name);
          found.ifPresent(
              it ->
                  nodes.put(name, change.apply(it).withUid(it.uid()).withPodCidrs(it.podCidrs())));
          return found.isPresent();
        });
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
        found -> new NodeChange.Occupied("node " + name + " has " + found.podCidrs().texts()));
  }

  /**
   * {@code change} answers the node as it shall be; empty for the ending {@code otherwise}. An
   * equal one makes no new version.
   */
  private NodeChange patch(
      String name,
      String uid,
      Function<ClusterNode, Optional<ClusterNode>> change,
      Function<ClusterNode, NodeChange> otherwise) {
    return nodes.atomically(
        () -> {
          ClusterNode found = find(name).filter(it -> it.uid().equals(uid)).orElse(null);
          if (found == null) {
            return new NodeChange.Gone();
          }
          Optional<ClusterNode> changed = change.apply(found);
          return changed.isEmpty()
              ? otherwise.apply(found)
              : new NodeChange.Accepted(
                  changed.get().equals(found)
                      ? found
                      : nodes.put(name, changed.get()).found().orElseThrow());
        });
  }

  /** The node on the server. */
  public Optional<ClusterNode> find(String name) {
    return nodes.find(name);
  }

  /** All nodes on the server, by name. */
  public List<ClusterNode> all() {
    return nodes.all().stream().flatMap(each -> each.found().stream()).toList();
  }

  private final class Client implements ClusterNodeStore {
    private final String writer;
    private final Interference interference;
    private final InMemoryView<ClusterNode> view;

    Client(String writer, Interference interference, InMemoryView<ClusterNode> view) {
      this.writer = writer;
      this.interference = interference;
      this.view = view;
    }

    @Override
    public Optional<ClusterNode> latest(String name) {
      return view.latest(name);
    }

    @Override
    public List<String> names() {
      return view.names();
    }

    @Override
    public Reading get(String name) {
      Optional<NodeChange> instead = interference.before(Request.GET, name);
      if (instead.isPresent()) {
        return new Reading.Failed(instead.get().toString());
      }
      return view.read(name).<Reading>map(Reading.Found::new).orElseGet(Reading.Absent::new);
    }

    @Override
    public NodeChange assignPodCidrs(String name, String uid, List<Cidr> cidrs) {
      ClusterNodeStore.requireOnePerFamily(cidrs);
      return change(Request.ASSIGN, name, () -> assign(writer, name, uid, cidrs));
    }

    @Override
    public NodeChange networkAvailable(String name, String uid) {
      return change(
          Request.NETWORK_AVAILABLE,
          name,
          () ->
              patch(
                  name,
                  uid,
                  found -> Optional.of(found.withNetworkUnavailable(false)),
                  found -> new NodeChange.Gone()));
    }

    @Override
    public NodeChange annotate(ClusterNode seen, Map<String, String> annotations) {
      ClusterNodeStore.requireOwnNames(annotations);
      String name = seen.name();
      return change(
          Request.ANNOTATE,
          name,
          () ->
              patch(
                  name,
                  seen.uid(),
                  found ->
                      Optional.of(found.withAnnotations(annotations))
                          .filter(changed -> found.version().equals(seen.version())),
                  found -> new NodeChange.AskedToWait("node " + name + " has another version")));
    }

    private NodeChange change(Request request, String name, Supplier<NodeChange> served) {
      NodeChange ended = interference.before(request, name).orElseGet(served);
      if (ended instanceof NodeChange.Accepted accepted) {
        view.learn(versioned(accepted.node()));
      }
      return ended;
    }

    @Override
    public CompletionStage<CatchUp> catchUp(EffectRunner effects) {
      return InMemoryView.catchUp(effects, this::list);
    }

    private CatchUp list() {
      Optional<NodeChange> instead = interference.before(Request.LIST, "");
      if (instead.isPresent()) {
        return new CatchUp.Failed(instead.get().toString());
      }
      view.list();
      return new CatchUp.Done();
    }

    @Override
    public Watch watch(ObjectWatcher<ClusterNode> watcher) {
      DistinctNodes distinct = new DistinctNodes(watcher);
      return view.watch(distinct::upserted, distinct::deleted, distinct::synced);
    }
  }
}
