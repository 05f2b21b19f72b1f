package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.LiveLister;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Claims as {@code Lease} objects of one namespace, which no one renews: the name is that of the
 * claim, the holder the node, an annotation its uid. The API server makes names unique.
 * Thread-safe.
 */
public final class LeaseClaimStore implements ClaimStore, AutoCloseable {
  /** A list with a limit is read from etcd; without one, the first may be an old one of a cache. */
  private static final long PAGE = 500;

  private final ClusterConnection cluster;
  private final String namespace;
  private final KnownObjects<Claim> known = new KnownObjects<>();
  private final LeaseClaimRequests requests;
  private final ObjectInformer<Lease, Claim> objects;
  private volatile Fence lease = Fence.OPEN;

  private LeaseClaimStore(ClusterConnection cluster, String namespace, Executor executor) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.requests = new LeaseClaimRequests(cluster, namespace, known);
    cluster.registerType(Lease.class);
    this.objects =
        new ObjectInformer<>(
            cluster,
            new ObjectInformer.Kind<>("Leases", LeaseClaimJson::known, null, Claim::isSameAs),
            known,
            trouble -> LiveLister.informer(Lease.class, ours().withLimit(PAGE), trouble),
            executor,
            changed -> {});
  }

  /**
   * Starts to watch; failures are logged and retried.
   *
   * @param namespace of the claims alone
   * @param executor runs the calls of {@link #watch(ObjectWatcher)}; may be shared
   */
  public static LeaseClaimStore watch(
      ClusterConnection cluster, String namespace, Executor executor) {
    LeaseClaimStore store = new LeaseClaimStore(cluster, namespace, executor);
    store.objects.start();
    return store;
  }

  /** As {@link #watch(ClusterConnection, String, Executor)}, without a watch: it is only asked. */
  public static LeaseClaimStore unwatched(ClusterConnection cluster, String namespace) {
    return new LeaseClaimStore(cluster, namespace, Runnable::run);
  }

  private FilterWatchListDeletable<Lease, LeaseList, Resource<Lease>> ours() {
    return cluster
        .client()
        .leases()
        .inNamespace(namespace)
        .withLabel(LeaseClaimJson.LABEL, LeaseClaimJson.LABEL_VALUE);
  }

  @Override
  public Optional<Claim> latest(String name) {
    return known.find(name).filter(claim -> !claim.gone()).flatMap(KnownObject::payload);
  }

  @Override
  public List<String> names() {
    return known.names();
  }

  @Override
  public CatchUp list() {
    Map<String, KnownObject<Claim>> before = known.all();
    try {
      LeaseList list = ours().list();
      Set<String> present = new HashSet<>();
      for (Lease each : list.getItems()) {
        KnownObject<Claim> seen = LeaseClaimJson.known(each);
        present.add(seen.name());
        known.learnFresh(seen, Optional.ofNullable(before.get(seen.name())));
        objects.changed(seen.name());
      }
      known
          .learnAbsent(before, present, list.getMetadata().getResourceVersion())
          .forEach(objects::changed);
      return new CatchUp.Done();
    } catch (KubernetesClientException e) {
      return new CatchUp.Failed(cluster.failure(e).text());
    }
  }

  @Override
  public Reading get(String name) {
    return requests.read(name);
  }

  @Override
  public ClaimChange create(String name, String holder, String holderUid) {
    return lease.isOpen()
        ? requests.create(name, holder, holderUid)
        : new ClaimChange.AskedToWait(Fence.NO_LEASE);
  }

  @Override
  public ClaimChange update(Claim seen, String holder, String holderUid) {
    return lease.isOpen()
        ? requests.update(seen, holder, holderUid)
        : new ClaimChange.AskedToWait(Fence.NO_LEASE);
  }

  @Override
  public ClaimChange delete(Claim seen) {
    return lease.isOpen() ? requests.delete(seen) : new ClaimChange.AskedToWait(Fence.NO_LEASE);
  }

  @Override
  public Watch watch(ObjectWatcher<Claim> watcher) {
    return objects.watch(watcher::upserted, watcher);
  }

  /** The lease of the leader was won: nothing is changed any more while {@code fence} is closed. */
  public void leads(Fence fence) {
    lease = fence;
  }

  /** Whether all claims were listed once. */
  public boolean hasListed() {
    return objects.hasListed();
  }

  /** Why claims cannot be listed or watched now; empty while they can. */
  public Optional<String> trouble() {
    return objects.trouble();
  }

  @Override
  public void close() {
    objects.close();
  }
}
