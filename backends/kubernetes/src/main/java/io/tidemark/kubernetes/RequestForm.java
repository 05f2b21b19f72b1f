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
 * The form in which the client library's requests are sent. Those without a timeout get one of the
 * HTTP client: the library itself would start a timer for each, and cancel it by two exceptions for
 * every answer. A patch that is sent as text gets its kind, since the library says plain JSON,
 * which no API server takes: a merge patch, and of a status a strategic one, by which the
 * conditions of others stay. Thread-safe.
 */
final class RequestForm implements Interceptor {
  static final String NAME = "TIDEMARK-REQUEST-FORM";

  private final Duration timeout;

  RequestForm(Duration timeout) {
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
        && request instanceof StandardHttpRequest sent) {
      if (sent.method().equals("PATCH") && "application/json".equals(sent.getContentType())) {
        boolean status = sent.uri().getPath().endsWith("/status");
        String type = "application/" + (status ? "strategic-merge" : "merge") + "-patch+json";
        changed.patch(type, sent.bodyString());
      }
      if (Duration.ZERO.equals(sent.getTimeout())) {
        changed.timeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }
}
