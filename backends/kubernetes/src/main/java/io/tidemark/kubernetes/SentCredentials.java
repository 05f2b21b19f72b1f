package io.tidemark.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reports what authenticates requests, to keep it out of logs: what the configuration holds, and
 * the header of each request before it is sent, since tokens rotate. Thread-safe.
 */
final class SentCredentials implements Interceptor {
  /** Behind every interceptor of the client library, which runs them in the order of arrival. */
  static final String NAME = "TIDEMARK-SENT-CREDENTIALS";

  /** The passphrase that the library uses where none is named. */
  private static final String NO_PASSPHRASE = "changeit";

  private final Consumer<String> secrets;

  private volatile String reported = "";

  SentCredentials(Consumer<String> secrets) {
    this.secrets = secrets;
  }

  void tell(Config config) {
    Stream.of(
            config.getOauthToken(),
            config.getAutoOAuthToken(),
            config.getPassword(),
            config.getProxyPassword(),
            config.getClientKeyData(),
            decoded(config.getClientKeyData()),
            config.getClientKeyPassphrase(),
            config.getKeyStorePassphrase(),
            config.getTrustStorePassphrase(),
            basic(config.getProxyUsername(), config.getProxyPassword()),
            basic(config.getUsername(), config.getPassword()))
        .forEach(this::tell);
  }

  private void tell(@Nullable String secret) {
    if (secret != null && !secret.isBlank() && !secret.equals(NO_PASSPHRASE)) {
      secrets.accept(secret);
    }
  }

  private static @Nullable String basic(@Nullable String user, @Nullable String password) {
    return user == null || password == null
        ? null
        : Base64.getEncoder()
            .encodeToString((user + ':' + password).getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable String decoded(@Nullable String base64) {
    try {
      return base64 == null
          ? null
          : new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null; // the client library refuses it, too
    }
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    request.headers("Authorization").forEach(this::header);
  }

  /** Behind its scheme; the same one comes with each request. */
  private void header(String value) {
    if (value.equals(reported)) {
      return;
    }
    int scheme = value.indexOf(' ');
    tell(scheme < 0 ? value : value.substring(scheme + 1));
    reported = value;
  }
}
