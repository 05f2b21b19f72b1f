package io.tidemark.kubernetes.backend;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.Rounds;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the object of a node while there is none, so that an operator can give the node addresses
 * (allocators 4.1). The Kubernetes Node owns it: the cluster deletes it with the Node. Looks every
 * few seconds, since the kubelet may register the Node later, and an object can be deleted. One
 * request at a time; never blocks. Thread-safe.
 */
final class NodeObjectCreation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeObjectCreation.class);
  private static final Duration UNTIL_LISTED = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final String name;
  private final boolean withCidrs;
  private final ClusterConnection cluster;
  private final KubernetesNodeResourceStore store;
  private final Rounds rounds;
  private final EffectRunner effects;
  private volatile Optional<String> trouble = Optional.empty();

  /**
   * Nothing happens before {@link #start}.
   *
   * @param withCidrs whether the object gets {@code spec.podCIDRs} of the Kubernetes Node, and is
   *     not created before the Node has some
   */
  NodeObjectCreation(
      String name,
      boolean withCidrs,
      ClusterConnection cluster,
      KubernetesNodeResourceStore store,
      TaskScheduler scheduler,
      EffectRunner effects) {
    this.name = name;
    this.withCidrs = withCidrs;
    this.cluster = cluster;
    this.store = store;
    this.rounds = new Rounds(scheduler);
    this.effects = effects;
  }

  /** Looks until it is closed. */
  void start() {
    again(UNTIL_LISTED);
  }

  private void again(Duration pause) {
    rounds.after(pause, this::look);
  }

  private void look() {
    if (!store.hasListed()) {
      again(UNTIL_LISTED);
    } else if (store.uid(name).isPresent()) {
      trouble = Optional.empty();
      again(PAUSE);
    } else {
      effects
          .run(new EffectSite("agent get", name), cluster.requestTimeout(), this::owner)
          .stage()
          .whenComplete(
              (owner, thrown) -> {
                if (thrown == null) {
                  read(owner);
                } else {
                  unread(thrown);
                }
              });
    }
  }

  private Optional<Node> owner() {
    return Optional.ofNullable(cluster.client().nodes().withName(name).get());
  }

  private void unread(Throwable thrown) {
    failed(
        thrown instanceof KubernetesClientException e
            ? cluster.failure(e).text()
            : String.valueOf(thrown.getMessage()));
  }

  private void read(Optional<Node> owner) {
    if (owner.isEmpty()) {
      failed("the cluster has no Kubernetes Node " + name);
    } else if (withCidrs && cidrs(owner.get()).isEmpty()) {
      failed("spec.podCIDRs of the Kubernetes Node " + name + " is empty");
    } else {
      create(object(owner.get()));
    }
  }

  private static List<String> cidrs(Node owner) {
    return owner.getSpec() == null ? List.of() : owner.getSpec().getPodCIDRs();
  }

  private void create(NodeResource object) {
    effects
        .run(
            new EffectSite("agent create", name),
            cluster.requestTimeout(),
            () -> store.create(object))
        .stage()
        .whenComplete(
            (result, thrown) ->
                created(
                    thrown == null
                        ? result
                        : new StoreResult.Failed(String.valueOf(thrown.getMessage()))));
  }

  private NodeResource object(Node owner) {
    Map<String, ?> reference =
        Map.of(
            "apiVersion", "v1", "kind", "Node", "name", name, "uid", owner.getMetadata().getUid());
    Map<String, ?> ipam = withCidrs ? Map.of("podCIDRs", cidrs(owner)) : Map.of();
    String text =
        cluster
            .client()
            .getKubernetesSerialization()
            .asJson(
                Map.of(
                    "apiVersion",
                    "cilium.io/v2",
                    "kind",
                    "CiliumNode",
                    "metadata",
                    Map.of("name", name, "ownerReferences", List.of(reference)),
                    "spec",
                    Map.of("ipam", ipam)));
    return NodeResourceJson.parse(text, "the object of node " + name)
        .match(
            resource -> resource,
            invalid -> {
              throw new IllegalStateException(invalid.toString());
            });
  }

  private void created(StoreResult result) {
    if (result instanceof StoreResult.Stored) {
      LOG.info("The CiliumNode of this node was created. node={}", name);
    }
    if (result instanceof StoreResult.Refused refused) {
      failed(refused.detail());
    } else if (result instanceof StoreResult.Failed failure) {
      failed(failure.detail());
    } else if (result instanceof StoreResult.NotFound) {
      failed("the API server has no CiliumNodes. Install its CustomResourceDefinition first.");
    } else {
      trouble = Optional.empty(); // created, also by another
      again(PAUSE);
    }
  }

  /**
   * Logs each cause once, until there is another; nothing of a request that was under way at the
   * end.
   */
  private void failed(String cause) {
    if (rounds.isClosed()) {
      return;
    }
    if (!trouble.equals(Optional.of(cause))) {
      LOG.warn("The CiliumNode of this node cannot be created; retrying. cause={}", cause);
    }
    trouble = Optional.of(cause);
    again(PAUSE);
  }

  /** Why there is no object; empty while there is one, or it is not known. */
  Optional<String> trouble() {
    return trouble;
  }

  @Override
  public void close() {
    rounds.close();
  }
}
