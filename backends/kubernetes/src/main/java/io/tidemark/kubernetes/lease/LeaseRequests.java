package io.tidemark.kubernetes.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.tidemark.cluster.lease.LeaseFailure;
import io.tidemark.cluster.lease.LeasePort;
import io.tidemark.cluster.lease.LeaseRecord;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ApiFailure.Kind;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.time.TimeSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** The lease in the Kubernetes API. */
final class LeaseRequests implements LeasePort {
  private final ClusterConnection cluster;
  private final String namespace;
  private final String name;
  private final TimeSource time;

  private final AtomicReference<Lease> last = new AtomicReference<>();

  LeaseRequests(ClusterConnection cluster, String namespace, String name, TimeSource time) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.name = name;
    this.time = time;
  }

  @Override
  public String server() {
    return cluster.server();
  }

  @Override
  public Optional<LeaseRecord> read() {
    try {
      return Optional.ofNullable(
              cluster.client().leases().inNamespace(namespace).withName(name).get())
          .map(this::kept);
    } catch (KubernetesClientException e) {
      throw explained(e);
    }
  }

  @Override
  public Optional<LeaseRecord> create(Claim claim) {
    Lease empty =
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .endMetadata()
            .build();
    return unlessRefused(
        () -> resource(LeaseObject.claimed(empty, claim, time.epochMillis())).create());
  }

  @Override
  public Optional<LeaseRecord> write(String version, Claim claim) {
    Lease before = last.get();
    if (before == null || !before.getMetadata().getResourceVersion().equals(version)) {
      return Optional.empty();
    }
    Lease claimed = LeaseObject.claimed(before, claim, time.epochMillis());
    return unlessRefused(() -> resource(claimed).lockResourceVersion(version).update());
  }

  private Resource<Lease> resource(Lease lease) {
    return cluster.client().leases().inNamespace(namespace).resource(lease);
  }

  private Optional<LeaseRecord> unlessRefused(Supplier<Lease> request) {
    try {
      return Optional.of(kept(request.get()));
    } catch (KubernetesClientException e) {
      ApiFailure failure = cluster.failure(e);
      if (failure.kind() == Kind.CONFLICT
          || failure.kind() == Kind.EXISTS
          || failure.kind() == Kind.NOT_FOUND) {
        return Optional.empty();
      }
      throw explained(e);
    }
  }

  private LeaseRecord kept(Lease lease) {
    last.set(lease);
    return LeaseObject.record(lease);
  }

  private LeaseFailure explained(KubernetesClientException e) {
    ApiFailure failure = cluster.failure(e);
    return new LeaseFailure(failure.text(), failure.isLoggedApart(), e);
  }
}
