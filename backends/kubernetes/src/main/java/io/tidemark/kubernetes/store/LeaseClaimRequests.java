package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore.Reading;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ClusterConnection;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The requests about one claim, each exactly one and blocking; a change bounds the time that the
 * server works on it. Only the words of an API server count. Thread-safe.
 */
final class LeaseClaimRequests {
  private final ClusterConnection cluster;
  private final String path;
  private final String namespace;
  private final String parameters;
  private final KnownObjects<Claim> known;

  LeaseClaimRequests(ClusterConnection cluster, String namespace, KnownObjects<Claim> known) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.known = known;
    this.path = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    this.parameters = cluster.changeParameters(KubernetesNodeResourceStore.FIELD_MANAGER);
  }

  /** With no version in the request, the answer is not older than the request. */
  Reading read(String name) {
    Optional<KnownObject<Claim>> before = known.find(name);
    try {
      return parsed(cluster.send("GET", path + '/' + name, null))
          .<Reading>map(
              seen ->
                  known
                      .learnFresh(seen, before)
                      .payload()
                      .<Reading>map(Reading.Found::new)
                      .orElseGet(Reading.Absent::new))
          .orElseGet(() -> new Reading.Failed("the answer is not that of an API server"));
    } catch (KubernetesClientException e) {
      return ApiFailure.isAbsent(e, name) ? absent(before, name) : new Reading.Failed(text(e));
    }
  }

  /** It was deleted after the version that was known when the request began. */
  private Reading absent(Optional<KnownObject<Claim>> before, String name) {
    before.ifPresent(claim -> gone(name, claim.version()));
    return new Reading.Absent();
  }

  private void gone(String name, String version) {
    known.learn(KnownObject.gone(name, Revisions.following(version)));
  }

  ClaimChange create(String name, String holder, String holderUid) {
    String claim = LeaseClaimJson.created(namespace, name, holder, holderUid);
    return change(name, () -> cluster.send("POST", path + parameters, claim));
  }

  ClaimChange update(Claim seen, String holder, String holderUid) {
    String claim = LeaseClaimJson.updated(namespace, seen, holder, holderUid);
    String url = path + '/' + seen.name() + parameters;
    return change(seen.name(), () -> cluster.send("PUT", url, claim));
  }

  ClaimChange delete(Claim seen) {
    String url = path + '/' + seen.name() + parameters;
    ClaimChange end =
        change(seen.name(), () -> cluster.send("DELETE", url, LeaseClaimJson.deletion(seen)));
    if (end instanceof ClaimChange.Gone) {
      gone(seen.name(), seen.version());
    }
    return end;
  }

  private ClaimChange change(String name, Supplier<String> request) {
    try {
      String answer = request.get();
      Optional<KnownObject<Claim>> stored = parsed(answer);
      if (stored.isPresent()) {
        known.learn(stored.get());
        return new ClaimChange.Stored(stored.get().payload().orElseThrow());
      }
      return isSuccess(answer)
          ? new ClaimChange.Gone()
          : new ClaimChange.Unknown("the answer is not that of an API server");
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

  private String text(KubernetesClientException e) {
    return cluster.failure(e).text();
  }
}
