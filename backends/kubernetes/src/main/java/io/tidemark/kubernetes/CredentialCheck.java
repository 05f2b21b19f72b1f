package io.tidemark.kubernetes;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the API server accepts our credentials, read from the status of each answer: a refusal is
 * logged once, with the place of the credential and the remedy, and so is the next success.
 * Thread-safe.
 */
final class CredentialCheck implements Interceptor {
  private static final Logger LOG = LoggerFactory.getLogger(CredentialCheck.class);
  private static final int UNAUTHORIZED = 401;

  /** Behind the client library's own, which renews a token before the answer counts. */
  static final String NAME = "TIDEMARK-CREDENTIAL-CHECK";

  private final String server;
  private final CredentialSource source;
  private final AtomicBoolean refused = new AtomicBoolean();

  CredentialCheck(String server, CredentialSource source) {
    this.server = server;
    this.source = source;
  }

  @Override
  public void after(
      HttpRequest request,
      HttpResponse<?> response,
      AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    answered(response.code());
  }

  @Override
  public CompletableFuture<Boolean> afterFailure(
      BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
    answered(response.code());
    return CompletableFuture.completedFuture(false);
  }

  private void answered(int code) {
    if (code != UNAUTHORIZED) {
      if (refused.compareAndSet(true, false)) {
        LOG.info("The API server accepts the credentials again. server={}", server);
      }
    } else if (refused.compareAndSet(false, true)) {
      LOG.warn(
          "The API server refuses the credentials (401 Unauthorized); nothing is read or written"
              + " until that is fixed. server={} credential={} remedy={}",
          server,
          source.what(),
          source.remedy());
    }
  }

  /** Why nothing works, while the last answer refused the credentials. */
  Optional<String> refusal() {
    return refused.get()
        ? Optional.of(
            "the API server "
                + server
                + " refuses the credentials (401 Unauthorized): "
                + source.what()
                + ". "
                + source.remedy())
        : Optional.empty();
  }
}
