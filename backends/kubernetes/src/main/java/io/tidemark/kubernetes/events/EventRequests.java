package io.tidemark.kubernetes.events;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ApiFailure.Kind;
import io.tidemark.kubernetes.ClusterConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Events in the core group, {@code v1}. They are the same objects as those of {@code
 * events.k8s.io}, which has no count that every {@code kubectl describe} shows; and two rights are
 * enough, {@code create} and {@code patch}: the answer to a patch contains the count.
 */
final class EventRequests {
  private final ClusterConnection cluster;
  private final KubernetesClient client;
  private final String instance;

  /**
   * Of one process.
   *
   * @param instance which process reports, such as the name of its pod
   */
  EventRequests(ClusterConnection cluster, String instance) {
    this.cluster = cluster;
    this.client = cluster.client();
    this.instance = instance;
  }

  /** One blocking request; a refusal is an answer. */
  EventEnd send(EventWrite write) {
    try {
      Event answer = write.creates() ? create(write) : change(write);
      Integer count = answer.getCount();
      return new EventEnd.Stored(count == null ? 1 : count);
    } catch (KubernetesClientException e) {
      ApiFailure failure = cluster.failure(e);
      if (write.creates() && failure.kind() == Kind.EXISTS) {
        return new EventEnd.Exists();
      }
      return !write.creates() && failure.kind() == Kind.NOT_FOUND
          ? new EventEnd.Forgotten()
          : new EventEnd.Failed(failure);
    }
  }

  private Event create(EventWrite write) {
    EventSubject subject = write.subject();
    String namespace = subject.eventNamespace();
    Event event =
        new EventBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(write.name())
            .endMetadata()
            .withNewInvolvedObject()
            .withApiVersion(subject.apiVersion())
            .withKind(subject.kind())
            .withNamespace(emptyAsNone(subject.namespace()))
            .withName(subject.name())
            .withUid(emptyAsNone(subject.uid()))
            .endInvolvedObject()
            .withType(type(write))
            .withReason(write.kind().reason())
            .withMessage(write.message())
            .withCount(write.count().orElse(1))
            .withFirstTimestamp(time(write.firstMillis()))
            .withLastTimestamp(time(write.lastMillis()))
            .withNewSource(write.kind().component(), null)
            .withReportingComponent(write.kind().component())
            .withReportingInstance(instance)
            .build();
    return client.v1().events().inNamespace(namespace).resource(event).create();
  }

  /** A merge: only what is named here changes. */
  private Event change(EventWrite write) {
    Event changed =
        new EventBuilder()
            .withNewMetadata()
            .withName(write.name())
            .endMetadata()
            .withType(type(write))
            .withMessage(write.message())
            .withCount(write.count().isPresent() ? write.count().getAsInt() : null)
            .withLastTimestamp(time(write.lastMillis()))
            .withReportingInstance(instance)
            .build();
    return client
        .v1()
        .events()
        .inNamespace(write.subject().eventNamespace())
        .withName(write.name())
        .patch(PatchContext.of(PatchType.JSON_MERGE), changed);
  }

  private static String type(EventWrite write) {
    return write.open() ? "Warning" : "Normal";
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static @Nullable String emptyAsNone(String text) {
    return text.isEmpty() ? null : text;
  }
}
