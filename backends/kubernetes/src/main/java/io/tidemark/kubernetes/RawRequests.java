package io.tidemark.kubernetes;

import io.fabric8.kubernetes.client.Client;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.internal.OperationContext;
import io.fabric8.kubernetes.client.dsl.internal.OperationSupport;
import io.fabric8.kubernetes.client.http.HttpRequest;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Requests whose responses are returned unparsed. Thread-safe. */
final class RawRequests extends OperationSupport {
  RawRequests(Client client) {
    super(client);
  }

  RawRequests(OperationContext context) {
    super(context);
  }

  /** As {@link ClusterConnection#fetch}. */
  CompletableFuture<byte[]> fetch(String path) {
    HttpRequest request =
        httpClient
            .newHttpRequestBuilder()
            .uri(config.getMasterUrl() + path.substring(1))
            // Bounded by the library's timer, which runs even when the client is closed.
            .timeout(config.getRequestTimeout(), TimeUnit.MILLISECONDS)
            .build();
    return httpClient
        .sendAsync(request, byte[].class)
        .thenApply(
            response -> {
              assertResponseCode(request, response);
              return response.body();
            });
  }

  /** As {@link ClusterConnection#await}. */
  <T> T await(CompletableFuture<T> answer) {
    try {
      return waitForResult(answer);
    } catch (IOException e) {
      throw KubernetesClientException.launderThrowable(e);
    }
  }
}
