package io.tidemark.kubernetes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How to reach the API server.
 *
 * @param kubeconfig a file; empty: the variable {@code KUBECONFIG}, the user's own file, or inside
 *     a pod the service account, whose token is read again when it rotates
 * @param context of the kubeconfig; empty: its current one
 * @param requestTimeout bound of one request, above zero
 * @param secrets receives each token, password, key and header used to authenticate, before it is
 *     sent, so that it can be kept out of logs; any thread, must not block, called repeatedly
 * @param userAgent name of the program in the server's logs
 */
public record ClusterAccess(
    Optional<Path> kubeconfig,
    Optional<String> context,
    Duration requestTimeout,
    Consumer<String> secrets,
    String userAgent) {
  private static final String OPERATOR = "tidemark-operator";

  /** The access that the environment offers, and ten seconds per request. */
  public static final ClusterAccess USUAL =
      new ClusterAccess(Optional.empty(), Optional.empty(), Duration.ofSeconds(10));

  /** Of an operator that ignores the secrets. */
  public ClusterAccess(
      Optional<Path> kubeconfig, Optional<String> context, Duration requestTimeout) {
    this(kubeconfig, context, requestTimeout, secret -> {}, OPERATOR);
  }

  public ClusterAccess {
    if (requestTimeout.isNegative() || requestTimeout.isZero()) {
      throw new IllegalArgumentException(
          "requestTimeout is " + requestTimeout + "; expected above zero");
    }
  }

  /** The same as another program. */
  public ClusterAccess withUserAgent(String name) {
    return new ClusterAccess(kubeconfig, context, requestTimeout, secrets, name);
  }
}
