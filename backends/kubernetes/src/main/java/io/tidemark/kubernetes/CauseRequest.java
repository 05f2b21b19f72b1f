package io.tidemark.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server why it closes connections: over HTTP/2 it may close one that sent a refused
 * credential before the answer is read, and the request fails with GOAWAY alone. One small request
 * over HTTP/1.1 is answered in full; its status goes to the {@link CredentialCheck}. One at a time;
 * never blocks. Thread-safe.
 */
final class CauseRequest implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CauseRequest.class);

  private final Config config;
  private final SentCredentials sent;
  private final CredentialCheck check;
  private final Object lock = new Object();
  private @Nullable KubernetesClient client;
  private boolean underWay;
  private boolean closed;

  CauseRequest(Config config, SentCredentials sent, CredentialCheck check) {
    this.config = config;
    this.sent = sent;
    this.check = check;
  }

  /** Asks, unless that is under way. */
  void ask() {
    KubernetesClient asked;
    synchronized (lock) {
      if (underWay || closed) {
        return;
      }
      underWay = true;
      asked = client == null ? open() : client;
      client = asked;
    }
    HttpClient http = asked.getHttpClient();
    http.sendAsync(
            http.newHttpRequestBuilder().uri(asked.getMasterUrl() + "version").build(),
            String.class)
        .whenComplete(
            (answer, thrown) -> {
              if (thrown != null) {
                LOG.debug("The cause of an ended connection was not found", thrown);
              }
              synchronized (lock) {
                underWay = false;
              }
            });
  }

  private KubernetesClient open() {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientBuilderConsumer(
            http -> {
              http.preferHttp11();
              http.addOrReplaceInterceptor(SentCredentials.NAME, sent);
              http.addOrReplaceInterceptor(CredentialCheck.NAME, check);
            })
        .build();
  }

  @Override
  public void close() {
    KubernetesClient open;
    synchronized (lock) {
      closed = true;
      open = client;
    }
    if (open != null) {
      open.close();
    }
  }
}
