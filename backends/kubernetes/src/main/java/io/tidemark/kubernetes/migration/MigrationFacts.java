package io.tidemark.kubernetes.migration;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.lease.LeaseSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The facts about a cluster before cilium-operator's allocation of addresses is replaced.
 * Immutable.
 *
 * @param operators the Deployments of cilium-operator, in all namespaces
 * @param theirLease the lease of cilium-operator
 * @param ourLease the lease of Tidemark's engine
 * @param nodes the CiliumNodes
 */
public record MigrationFacts(
    Fact<List<OperatorDeployment>> operators,
    Fact<Optional<LeaseHolder>> theirLease,
    Fact<Optional<LeaseHolder>> ourLease,
    Fact<PoolCensus> nodes) {
  /** The label that the reference sets on its Pods and its Deployment. */
  private static final String LABEL = "io.cilium/app";

  private static final String OPERATOR = "operator";

  /** Where both programs run, unless something else is known. */
  private static final String USUAL_NAMESPACE = "kube-system";

  private static final String LEASE = "cilium-operator-resource-lock";
  private static final String NODES = "/apis/cilium.io/v2/ciliumnodes";

  /**
   * The answer to a request.
   *
   * @param <T> what it is
   */
  public sealed interface Fact<T> {
    /** The server's answer. */
    record Known<T>(T value) implements Fact<T> {}

    /** The server gave no answer; {@code reason} is for people. */
    record Unread<T>(String reason) implements Fact<T> {}
  }

  /**
   * Who holds a lease.
   *
   * @param place namespace and name of the lease
   * @param sinceRenewal by the clock of this machine
   */
  public record LeaseHolder(String place, String identity, Duration sinceRenewal) {}

  /**
   * Asks for all of it; blocks for one request each, and one per 500 CiliumNodes. Changes nothing
   * and never throws for what the server answers.
   *
   * @param ours namespace of Tidemark's lease, where it is set; the namespace of the context does
   *     not count
   * @param now by the clock of this machine
   */
  public static MigrationFacts read(ClusterConnection cluster, Optional<String> ours, Instant now) {
    Fact<List<OperatorDeployment>> operators = fact(cluster, () -> operators(cluster));
    String theirs =
        operators instanceof Fact.Known<List<OperatorDeployment>> known && !known.value().isEmpty()
            ? known.value().get(0).namespace()
            : USUAL_NAMESPACE;
    return new MigrationFacts(
        operators,
        fact(cluster, () -> holder(cluster, theirs, LEASE, now)),
        fact(
            cluster,
            () -> holder(cluster, ours.orElse(USUAL_NAMESPACE), LeaseSettings.USUAL_NAME, now)),
        fact(cluster, () -> nodes(cluster)));
  }

  private static <T> Fact<T> fact(ClusterConnection cluster, Supplier<T> request) {
    try {
      return new Fact.Known<>(request.get());
    } catch (KubernetesClientException e) {
      return new Fact.Unread<>(cluster.failure(e).text());
    }
  }

  private static List<OperatorDeployment> operators(ClusterConnection cluster) {
    return cluster
        .client()
        .apps()
        .deployments()
        .inAnyNamespace()
        .withLabel(LABEL, OPERATOR)
        .list()
        .getItems()
        .stream()
        .map(OperatorDeployment::of)
        .toList();
  }

  private static Optional<LeaseHolder> holder(
      ClusterConnection cluster, String namespace, String name, Instant now) {
    Lease lease = cluster.client().leases().inNamespace(namespace).withName(name).get();
    if (lease == null || lease.getSpec() == null) {
      return Optional.empty();
    }
    String identity = lease.getSpec().getHolderIdentity();
    if (identity == null || identity.isEmpty() || lease.getSpec().getRenewTime() == null) {
      return Optional.empty();
    }
    return Optional.of(
        new LeaseHolder(
            namespace + '/' + name,
            identity,
            Duration.between(lease.getSpec().getRenewTime().toInstant(), now)));
  }

  private static PoolCensus nodes(ClusterConnection cluster) {
    return cluster.pages(NODES, PoolCensusJson::read).stream()
        .reduce(PoolCensus.EMPTY, PoolCensus::plus);
  }
}
