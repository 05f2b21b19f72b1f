package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.cluster.NodeChange;
import io.tidemark.ip.Cidr;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ApiFailure.Kind;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.time.TimeSource;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The requests about one Kubernetes Node, each exactly one and blocking. A change is a patch that
 * names the uid, and bounds the time that the server works on it. Thread-safe.
 *
 * <p>Only the words of an API server count: a page of something between is no answer to a change.
 */
final class ClusterNodeRequests {
  static final String ALL = "/api/v1/nodes";
  private static final String PATH = ALL + "/";

  private final ClusterConnection cluster;
  private final TimeSource time;
  private final String parameters;

  ClusterNodeRequests(ClusterConnection cluster, TimeSource time) {
    this.cluster = cluster;
    this.time = time;
    this.parameters = cluster.changeParameters(KubernetesNodeResourceStore.FIELD_MANAGER);
  }

  /** With no version in the request, the answer is not older than the request. */
  Reading read(String name, KnownObjects<ClusterNode> known) {
    Optional<KnownObject<ClusterNode>> before = known.find(name);
    try {
      KnownObject<ClusterNode> read = NodeObjectJson.read(cluster.send("GET", PATH + name, null));
      return known
          .learnFresh(read, before)
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

  NodeChange assign(String name, String uid, List<Cidr> cidrs, KnownObjects<ClusterNode> known) {
    return patch(PATH + name, name, uid, NodeObjectJson.podCidrs(uid, cidrs), known);
  }

  NodeChange networkAvailable(String name, String uid, KnownObjects<ClusterNode> known) {
    Instant now = Instant.ofEpochMilli(time.epochMillis()).truncatedTo(ChronoUnit.SECONDS);
    String patch = NodeObjectJson.networkAvailable(uid, now);
    return patch(PATH + name + "/status", name, uid, patch, known);
  }

  NodeChange annotate(
      ClusterNode seen, Map<String, String> annotations, KnownObjects<ClusterNode> known) {
    String patch = NodeObjectJson.annotations(seen, annotations);
    return patch(PATH + seen.name(), seen.name(), seen.uid(), patch, known);
  }

  private NodeChange patch(
      String path, String name, String uid, String patch, KnownObjects<ClusterNode> known) {
    if (uid.isEmpty()) {
      throw new IllegalArgumentException("the change of node " + name + " names no uid");
    }
    try {
      String answer = cluster.send("PATCH", path + parameters, patch);
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
          failure.kind() == Kind.INVALID ? invalid(e, text) : new NodeChange.Refused(text);
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
}
