package io.tidemark.kubernetes;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;

/**
 * Names the kind of a patch that is sent as text: the client library says plain JSON, which no API
 * server takes. It is a merge patch; of a status a strategic one, by which the conditions of others
 * stay. Thread-safe.
 */
final class MergePatch implements Interceptor {
  static final String NAME = "TIDEMARK-MERGE-PATCH";

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    if (builder instanceof HttpRequest.Builder changed
        && request instanceof StandardHttpRequest sent
        && sent.method().equals("PATCH")
        && "application/json".equals(sent.getContentType())) {
      boolean status = sent.uri().getPath().endsWith("/status");
      String type = "application/" + (status ? "strategic-merge" : "merge") + "-patch+json";
      changed.patch(type, sent.bodyString());
    }
  }
}
