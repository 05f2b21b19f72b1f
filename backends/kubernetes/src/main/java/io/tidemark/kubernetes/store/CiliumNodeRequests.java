package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.store.CiliumNodeJson.Content;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The requests about one CiliumNode, each exactly one and blocking. A write always carries the
 * version that was read: the client library's own update would fetch one when it is missing, and
 * the last write would win. Thread-safe.
 */
final class CiliumNodeRequests {
  /** Below etcd's 1.5 MiB for a request, with room for the server's record of who wrote what. */
  static final int BYTES_MAX = 1_300_000;

  static final String ALL = "/apis/cilium.io/v2/ciliumnodes";
  private static final String PATH = ALL + "/";

  private final ClusterConnection cluster;
  private final String fieldManager;
  private volatile Optional<String> trouble = Optional.empty();

  /**
   * Sends nothing yet.
   *
   * @param fieldManager our name in the server's records
   */
  CiliumNodeRequests(ClusterConnection cluster, String fieldManager) {
    this.cluster = cluster;
    this.fieldManager = fieldManager;
  }

  /** How a request ended: an object, or why there is none. */
  sealed interface Answer {
    record Found(KnownObject<Content> object) implements Answer {}

    record Refused(ApiFailure failure) implements Answer {}

    default <R> R match(Function<KnownObject<Content>, R> object, Function<ApiFailure, R> refused) {
      return this instanceof Found it
          ? object.apply(it.object())
          : refused.apply(((Refused) this).failure());
    }
  }

  Answer read(String name) {
    return send("GET", PATH + name, name, null);
  }

  /** Makes an object with everything but the status, which the server ignores here. */
  Answer create(NodeResource resource) {
    NodeResource bare =
        resource.withStatusOf(NodeResource.named(resource.name())).withResourceVersion("");
    return sendBounded("POST", ALL, bare);
  }

  /** Writes everything but the status, which the server ignores here. */
  Answer writeSpec(NodeResource resource) {
    return write(PATH + resource.name(), resource);
  }

  /** Writes the status; the server ignores the spec here, so it is not sent. */
  Answer writeStatus(NodeResource resource) {
    NodeResource bare = resource.withSpecOf(NodeResource.named(resource.name()));
    return write(PATH + resource.name() + "/status", bare);
  }

  private Answer write(String path, NodeResource resource) {
    if (resource.resourceVersion().isEmpty()) {
      return new Answer.Refused(
          new ApiFailure(ApiFailure.Kind.CONFLICT, "the version that was read is missing"));
    }
    return sendBounded("PUT", path, resource);
  }

  private Answer sendBounded(String method, String path, NodeResource resource) {
    String body = NodeResourceJson.print(resource);
    int bytes = bytes(body);
    if (bytes > BYTES_MAX) {
      return new Answer.Refused(
          new ApiFailure(
              ApiFailure.Kind.INVALID,
              "the object has "
                  + bytes
                  + " bytes, more than the "
                  + BYTES_MAX
                  + " that an API server can keep. Lower max-allocate of this node, or use prefix"
                  + " delegation with fewer interfaces."));
    }
    return send(method, path + cluster.changeParameters(fieldManager), resource.name(), body);
  }

  /** To {@code POST} is to name an object that there is not, so 404 means the kind of object. */
  private Answer send(String method, String path, String name, @Nullable String body) {
    try {
      KnownObject<Content> object = CiliumNodeJson.read(cluster.send(method, path, body));
      answered();
      return new Answer.Found(object);
    } catch (KubernetesClientException e) {
      ApiFailure failure = cluster.failure(e);
      boolean passed = method.equals("POST") || ApiFailure.isAbsent(e, name);
      return refused(
          failure.kind() == ApiFailure.Kind.NOT_FOUND && !passed
              ? new ApiFailure(ApiFailure.Kind.UNKNOWN, failure.text())
              : failure);
    } catch (UncheckedIOException e) {
      return refused(new ApiFailure(ApiFailure.Kind.UNKNOWN, String.valueOf(e.getMessage())));
    }
  }

  private Answer refused(ApiFailure failure) {
    trouble =
        switch (failure.kind()) {
          case UNAUTHORIZED, CLOSED, FORBIDDEN, BUSY, UNKNOWN -> Optional.of(failure.text());
          default -> Optional.empty();
        };
    return new Answer.Refused(failure);
  }

  /** Why the last request was not dealt with by the server; empty when it was. */
  Optional<String> trouble() {
    return trouble;
  }

  void answered() {
    trouble = Optional.empty();
  }

  /** Of UTF-8, without making the bytes of plain ASCII. */
  private static int bytes(String text) {
    return text.length() > BYTES_MAX / 4
        ? text.getBytes(StandardCharsets.UTF_8).length
        : text.length();
  }
}
