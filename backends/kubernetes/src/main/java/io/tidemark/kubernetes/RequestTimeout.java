package io.tidemark.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.internal.OperationContext;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The timeout of requests that the client library sends without one: the HTTP client bounds them.
 * The library itself would start a timer for each, and cancel it by two exceptions for every
 * answer. Thread-safe.
 */
final class RequestTimeout implements Interceptor {
  static final String NAME = "TIDEMARK-REQUEST-TIMEOUT";

  private final Duration timeout;

  RequestTimeout(Duration timeout) {
    this.timeout = timeout;
  }

  /** Sends requests without a timer of the library. */
  static RawRequests withoutTimer(KubernetesClient client) {
    RequestConfig config =
        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
            .withRequestTimeout(0)
            .build();
    return new RawRequests(new OperationContext().withClient(client).withRequestConfig(config));
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    if (builder instanceof HttpRequest.Builder changed
        && request instanceof StandardHttpRequest sent
        && Duration.ZERO.equals(sent.getTimeout())) {
      changed.timeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }
  }
}
