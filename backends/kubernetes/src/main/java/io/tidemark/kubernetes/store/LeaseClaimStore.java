package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.LiveLister;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Claims as {@code Lease} objects of one namespace, which no one renews: the name is that of the
 * claim, the holder the node, an annotation its uid. The API server makes names unique. A change is
 * one request that bounds the time that the server works on it; only the words of an API server are
 * an answer to it. Thread-safe.
 */
public final class LeaseClaimStore extends ObjectInformer<Lease, Claim> implements ClaimStore {
  /** A list with a limit is read from etcd; without one, the first may be an old one of a cache. */
  private static final long PAGE = 500;

  private static final String NO_SERVER = "the answer is not that of an API server";

  private final String namespace;
  private final String path;

  private LeaseClaimStore(ClusterConnection cluster, String namespace, Executor executor) {
    super(
        cluster,
        new Kind<>("Leases", LeaseClaimJson::known, null, Claim::isSameAs),
        trouble -> {
          cluster.registerType(Lease.class);
          return LiveLister.informer(
              Lease.class, ours(cluster, namespace).withLimit(PAGE), trouble);
        },
        executor);
    this.namespace = namespace;
    this.path = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
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
    store.start();
    return store;
  }

  /** As {@link #watch(ClusterConnection, String, Executor)}, without a watch: it is only asked. */
  public static LeaseClaimStore unwatched(ClusterConnection cluster, String namespace) {
    return new LeaseClaimStore(cluster, namespace, Runnable::run);
  }

  private static FilterWatchListDeletable<Lease, LeaseList, Resource<Lease>> ours(
      ClusterConnection cluster, String namespace) {
    return cluster
        .client()
        .leases()
        .inNamespace(namespace)
        .withLabel(LeaseClaimJson.LABEL, LeaseClaimJson.LABEL_VALUE);
  }

  @Override
  public Optional<Claim> latest(String name) {
    return present(name).flatMap(KnownObject::payload);
  }

  @Override
  public CatchUp list() {
    Map<String, KnownObject<Claim>> before = known.all();
    try {
      LeaseList list = ours(cluster, namespace).list();
      Set<String> present = new HashSet<>();
      for (Lease each : list.getItems()) {
        KnownObject<Claim> seen = LeaseClaimJson.known(each);
        present.add(seen.name());
        known.learnFresh(seen, Optional.ofNullable(before.get(seen.name())));
        changed(seen.name());
      }
      known
          .learnAbsent(before, present, list.getMetadata().getResourceVersion())
          .forEach(this::changed);
      return new CatchUp.Done();
    } catch (KubernetesClientException e) {
      return new CatchUp.Failed(cluster.failure(e).text());
    }
  }

  /** With no version in the request, the answer is not older than the request. */
  @Override
  public Reading get(String name) {
    Optional<KnownObject<Claim>> before = known.find(name);
    try {
      Optional<KnownObject<Claim>> read = parsed(cluster.send("GET", path + '/' + name, null));
      return read.isEmpty()
          ? new Reading.Failed(NO_SERVER)
          : known
              .learnFresh(read.get(), before)
              .payload()
              .<Reading>map(Reading.Found::new)
              .orElseGet(Reading.Absent::new);
    } catch (KubernetesClientException e) {
      if (!ApiFailure.isAbsent(e, name)) {
        return new Reading.Failed(cluster.failure(e).text());
      }
      before.ifPresent(claim -> gone(name, claim.version()));
      return new Reading.Absent();
    }
  }

  /** It was deleted after this version. */
  private void gone(String name, String version) {
    known.learn(KnownObject.gone(name, Revisions.following(version)));
  }

  @Override
  public ClaimChange create(String name, String holder, String holderUid) {
    return change("POST", "", name, LeaseClaimJson.created(namespace, name, holder, holderUid));
  }

  @Override
  public ClaimChange update(Claim seen, String holder, String holderUid) {
    String claim = LeaseClaimJson.updated(namespace, seen, holder, holderUid);
    return change("PUT", '/' + seen.name(), seen.name(), claim);
  }

  @Override
  public ClaimChange delete(Claim seen) {
    ClaimChange end =
        change("DELETE", '/' + seen.name(), seen.name(), LeaseClaimJson.deletion(seen));
    if (end instanceof ClaimChange.Gone) {
      gone(seen.name(), seen.version());
    }
    return end;
  }

  private ClaimChange change(String method, String object, String name, String body) {
    if (!mayChange()) {
      return new ClaimChange.AskedToWait(Fence.NO_LEASE);
    }
    String parameters = cluster.changeParameters(KubernetesNodeResourceStore.FIELD_MANAGER);
    try {
      String answer = cluster.send(method, path + object + parameters, body);
      Optional<KnownObject<Claim>> stored = parsed(answer);
      if (stored.isPresent()) {
        known.learn(stored.get());
        return new ClaimChange.Stored(stored.get().payload().orElseThrow());
      }
      return isSuccess(answer) ? new ClaimChange.Gone() : new ClaimChange.Unknown(NO_SERVER);
    } catch (KubernetesClientException e) {
      return ended(e, name);
    }
  }

  /** A lease; empty when the text is none. */
  private Optional<KnownObject<Claim>> parsed(String answer) {
    try {
      Lease lease = cluster.client().getKubernetesSerialization().unmarshal(answer, Lease.class);
      return "Lease".equals(lease.getKind()) && lease.getMetadata().getUid() != null
          ? Optional.of(LeaseClaimJson.known(lease))
          : Optional.empty();
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private boolean isSuccess(String answer) {
    try {
      Status status = cluster.client().getKubernetesSerialization().unmarshal(answer, Status.class);
      return "Success".equals(status.getStatus());
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** The result of a change that was not answered by its success. */
  private ClaimChange ended(KubernetesClientException e, String name) {
    ApiFailure failure = cluster.failure(e);
    String text = failure.text();
    return switch (failure.kind()) {
      case EXISTS -> new ClaimChange.Exists();
      case CONFLICT -> new ClaimChange.Conflict();
      case NOT_FOUND ->
          ApiFailure.isAbsent(e, name)
              ? new ClaimChange.Gone()
              : e.getStatus() != null && e.getStatus().getDetails() != null
                  ? new ClaimChange.Refused(text)
                  : new ClaimChange.Unknown(text);
      default ->
          switch (failure.effect()) {
            case ASKED_TO_WAIT -> new ClaimChange.AskedToWait(text);
            case REFUSED -> new ClaimChange.Refused(text);
            case UNKNOWN -> new ClaimChange.Unknown(text);
          };
    };
  }

  @Override
  public Watch watch(ObjectWatcher<Claim> watcher) {
    return watch(watcher::upserted, watcher);
  }
}
