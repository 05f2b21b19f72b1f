package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.cluster.ClosedNodes;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.Scheduling;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.DistinctNodes;
import io.tidemark.cluster.EventWording;
import io.tidemark.cluster.KubeletCapacity;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TimeSource;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The Kubernetes Nodes of a cluster: one watch for all who ask whether a node exists, accepts pods,
 * how many pods its kubelet allows, and which CIDRs it has. Of each node a few fields are kept. A
 * change is one request, a patch that names the uid and bounds the time that the server works on
 * it; only the words of an API server are an answer to it, not a page of something between.
 * Thread-safe.
 */
public final class ClusterNodes extends ObjectInformer<NodeObjectJson, ClusterNode>
    implements ClusterNodeStore, ClosedNodes, KubeletCapacity {
  private static final String ALL = "/api/v1/nodes";

  /** Two, and those for which another writer was faster. */
  private static final int UNTAINT_MAX = 8;

  private final PagedLister<NodeObjectJson, NodeObjectJson.Page> lister;
  private final TimeSource time;
  private final Consumer<String> listener;

  private ClusterNodes(
      ClusterConnection cluster,
      TimeSource time,
      PagedLister<NodeObjectJson, NodeObjectJson.Page> lister,
      Executor executor,
      Consumer<String> listener) {
    super(
        cluster,
        new Kind<>("Nodes", NodeObjectJson::known, NodeObjectJson::share, ClusterNode::isSameAs),
        lister::informer,
        executor);
    this.lister = lister;
    this.time = time;
    this.listener = listener;
  }

  private static ClusterNodes of(
      ClusterConnection cluster, TimeSource time, Executor executor, Consumer<String> changed) {
    PagedLister<NodeObjectJson, NodeObjectJson.Page> lister =
        new PagedLister<>(
            cluster, NodeObjectJson.class, NodeObjectJson.Page.class, ALL, Optional.empty());
    return new ClusterNodes(cluster, time, lister, executor, changed);
  }

  /**
   * Starts to watch; failures are logged and retried.
   *
   * @param executor runs the calls of {@link #watch(ObjectWatcher)}; may be shared
   * @param changed receives the name of a node that is new or gone, or of which a field used here
   *     changed, heartbeats excluded; any thread, must not block
   */
  public static ClusterNodes watch(
      ClusterConnection cluster, TimeSource time, Executor executor, Consumer<String> changed) {
    ClusterNodes nodes = of(cluster, time, executor, changed);
    nodes.start();
    return nodes;
  }

  /**
   * As {@link #watch(ClusterConnection, TimeSource, Executor, Consumer)}, but reads nothing before
   * {@link #start} or {@link #catchUp}.
   */
  public static ClusterNodes unstarted(
      ClusterConnection cluster, TimeSource time, Executor executor) {
    return of(cluster, time, executor, changed -> {});
  }

  @Override
  void changed(String name) {
    listener.accept(name);
    super.changed(name);
  }

  @Override
  public Optional<ClusterNode> latest(String name) {
    return present(name).flatMap(KnownObject::payload);
  }

  /** Whether the node exists; empty until all were listed once. */
  public Optional<Boolean> exists(String name) {
    return hasListed() ? Optional.of(present(name).isPresent()) : Optional.empty();
  }

  /** Whether it accepts no new pods: cordoned, or being deleted; false when it is unknown. */
  @Override
  public boolean isClosed(String name) {
    return latest(name).filter(ClusterNode::isClosed).isPresent();
  }

  /** Pods that the kubelet allows, {@code status.allocatable.pods}; empty when not known. */
  @Override
  public OptionalInt maxPods(String name) {
    return latest(name).map(ClusterNode::podsMax).orElse(OptionalInt.empty());
  }

  @Override
  public CompletionStage<CatchUp> known() {
    return firstList();
  }

  /** With no version in the request, the answer is not older than the request. */
  @Override
  public Reading get(String name) {
    Optional<KnownObject<ClusterNode>> before = known.find(name);
    try {
      String answer = cluster.send("GET", ALL + '/' + name, null);
      return known
          .learnFresh(NodeObjectJson.read(answer), before)
          .payload()
          .<Reading>map(Reading.Found::new)
          .orElseGet(Reading.Absent::new);
    } catch (KubernetesClientException e) {
      return ApiFailure.isAbsent(e, name)
          ? new Reading.Absent()
          : new Reading.Failed(cluster.failure(e).text());
    } catch (UncheckedIOException e) {
      return new Reading.Failed(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public NodeChange assignPodCidrs(String name, String uid, List<Cidr> cidrs) {
    ClusterNodeStore.requireOnePerFamily(cidrs);
    return patch(name, "", uid, NodeObjectJson.podCidrs(uid, cidrs));
  }

  @Override
  public NodeChange networkAvailable(String name, String uid) {
    return patch(name, "/status", uid, NodeObjectJson.networkAvailable(uid, now()));
  }

  private Instant now() {
    return Instant.ofEpochMilli(time.epochMillis()).truncatedTo(ChronoUnit.SECONDS);
  }

  /** Nodes that keep pods away because of their addresses, or say so; never blocks. */
  public List<String> tainted() {
    return names().stream()
        .filter(name -> latest(name).filter(node -> !node.scheduling().isClear()).isPresent())
        .toList();
  }

  /**
   * Gives a node that still has the version that was seen the taint {@link Scheduling#TAINT}, or
   * takes it away, in one request. A node of another version is not changed, and the caller is
   * asked to wait.
   */
  public NodeChange taint(ClusterNode seen, boolean tainted) {
    return patch(seen.name(), "", seen.uid(), NodeObjectJson.taint(seen, tainted));
  }

  /**
   * Sets the condition {@link Scheduling#CONDITION} of a node in one request.
   *
   * @param missing why its pods get no address; empty when they do
   */
  public NodeChange podAddresses(ClusterNode seen, Optional<NodeProblem> missing) {
    return patch(
        seen.name(),
        "/status",
        seen.uid(),
        NodeObjectJson.podAddresses(
            seen, missing.map(why -> Map.entry(reason(why), why.message())), now()));
  }

  /**
   * Lists the nodes that have the taint, or a condition that says so, to the last page; blocks. For
   * a command that watches nothing.
   *
   * @param goesOn whether there is time for another page
   * @return the nodes by name; empty when the time ended before
   * @throws IpamException {@code CLUSTER_ACCESS} when the nodes cannot be listed
   */
  public Optional<List<ClusterNode>> listTainted(BooleanSupplier goesOn) {
    List<ClusterNode> tainted = new ArrayList<>();
    PagedLister<NodeObjectJson, NodeObjectJson.Page> list = lister.another();
    String next = "";
    try {
      do {
        if (!goesOn.getAsBoolean()) {
          return Optional.empty();
        }
        ConsistentList.Page<ClusterNode> page = list.page(next, NodeObjectJson::known);
        page.objects().stream()
            .flatMap(object -> object.payload().stream())
            .filter(node -> !node.scheduling().isClear())
            .forEach(tainted::add);
        next = page.next();
      } while (!next.isEmpty());
    } catch (KubernetesClientException e) {
      if (!goesOn.getAsBoolean()) {
        return Optional.empty();
      }
      throw new IpamException(
          CoreError.CLUSTER_ACCESS, "the nodes cannot be listed: " + cluster.failure(e).text());
    }
    tainted.sort(Comparator.comparing(ClusterNode::name));
    return Optional.of(tainted);
  }

  /** Takes the taint and the condition from a node; blocks, for some requests. */
  public NodeChange untaint(ClusterNode seen) {
    ClusterNode node = seen;
    NodeChange end = new NodeChange.Accepted(node);
    for (int i = 0; i < UNTAINT_MAX && !node.scheduling().isClear(); i++) {
      end =
          node.scheduling().isTainted() ? taint(node, false) : podAddresses(node, Optional.empty());
      if (end instanceof NodeChange.Accepted accepted) {
        node = accepted.node();
      } else if (end instanceof NodeChange.AskedToWait
          && get(node.name()) instanceof Reading.Found found) {
        node = found.node();
      } else {
        return end;
      }
    }
    return node.scheduling().isClear() ? new NodeChange.Accepted(node) : end;
  }

  /** The reason by which the condition names a problem. */
  public static String reason(NodeProblem why) {
    return EventWording.USUAL.reason(why.code());
  }

  @Override
  public NodeChange annotate(ClusterNode seen, Map<String, String> annotations) {
    ClusterNodeStore.requireOwnNames(annotations);
    return patch(seen.name(), "", seen.uid(), NodeObjectJson.annotations(seen, annotations));
  }

  private NodeChange patch(String name, String part, String uid, String patch) {
    if (!mayChange()) {
      return new NodeChange.AskedToWait(Fence.NO_LEASE);
    }
    if (uid.isEmpty()) {
      throw new IllegalArgumentException("the change of node " + name + " names no uid");
    }
    String parameters = cluster.changeParameters(KubernetesNodeResourceStore.FIELD_MANAGER);
    try {
      String answer = cluster.send("PATCH", ALL + '/' + name + part + parameters, patch);
      KnownObject<ClusterNode> stored = NodeObjectJson.read(answer);
      ClusterNode newest =
          known
              .learn(stored)
              .payload()
              .filter(node -> node.uid().equals(uid))
              .orElseGet(() -> stored.payload().orElseThrow());
      return new NodeChange.Accepted(newest);
    } catch (KubernetesClientException e) {
      return ended(e, name);
    } catch (UncheckedIOException e) {
      return new NodeChange.Unknown(String.valueOf(e.getMessage()));
    }
  }

  /** The result of a change that was not answered by a Node. */
  private NodeChange ended(KubernetesClientException e, String name) {
    ApiFailure failure = cluster.failure(e);
    String text = failure.text();
    if (ApiFailure.isAbsent(e, name)) {
      return new NodeChange.Gone();
    }
    return switch (failure.effect()) {
      case ASKED_TO_WAIT -> new NodeChange.AskedToWait(text);
      case REFUSED ->
          failure.kind() == ApiFailure.Kind.INVALID
              ? invalid(e, text)
              : new NodeChange.Refused(text);
      case UNKNOWN -> new NodeChange.Unknown(text);
    };
  }

  /** Another incarnation is named first, also where its CIDRs differ as well. */
  private static NodeChange invalid(KubernetesClientException e, String text) {
    if (hasCause(e, "metadata.uid", "")) {
      return new NodeChange.Gone();
    }
    return hasCause(e, "spec.podCIDRs", "FieldValueForbidden")
        ? new NodeChange.Occupied(text)
        : new NodeChange.Refused(text);
  }

  private static boolean hasCause(KubernetesClientException e, String field, String reason) {
    return Optional.ofNullable(e.getStatus())
        .map(Status::getDetails)
        .map(details -> details.getCauses())
        .orElse(List.<StatusCause>of())
        .stream()
        .filter(cause -> field.equals(cause.getField()))
        .anyMatch(cause -> reason.isEmpty() || reason.equals(cause.getReason()));
  }

  @Override
  public Watch watch(ObjectWatcher<ClusterNode> watcher) {
    DistinctNodes distinct = new DistinctNodes(watcher);
    return watch(distinct::upserted, distinct);
  }

  /** By a list of all nodes that the server reads after the call. */
  @Override
  public CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    PagedLister<NodeObjectJson, NodeObjectJson.Page> list = lister.another();
    return catchUp(effects, next -> list.page(next, NodeObjectJson::known));
  }
}
