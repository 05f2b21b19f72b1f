package io.tidemark.kubernetes;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.tidemark.file.FileErrorText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code tokenFile} of a kubeconfig's user, which the client library ignores: its token wins
 * over {@code token} and is read for each request, since it rotates. While the file cannot be read,
 * the last token is sent. Thread-safe.
 */
final class TokenFile implements OAuthTokenProvider {
  private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);

  private final Path path;
  private volatile String last;

  private TokenFile(Path path) throws IOException {
    this.path = path;
    this.last = read(path);
  }

  /**
   * The one of the user of the current context; empty when there is none. A relative path starts at
   * the folder of the kubeconfig.
   *
   * @throws UncheckedIOException when the token cannot be read
   */
  static Optional<TokenFile> of(Config config, Optional<AuthInfo> user) {
    Optional<String> named =
        user.map(AuthInfo::getTokenFile).filter(name -> name != null && !name.isEmpty());
    if (named.isEmpty()) {
      return Optional.empty();
    }
    Path kubeconfig = Objects.requireNonNull(config.getFileWithAuthInfo(), "file").toPath();
    Path file = kubeconfig.resolveSibling(named.get());
    try {
      return Optional.of(new TokenFile(file));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the token file " + file + " cannot be read: " + FileErrorText.of(e), e);
    }
  }

  private static String read(Path path) throws IOException {
    String token = Files.readString(path).strip();
    if (token.isEmpty()) {
      throw new IOException("it is empty");
    }
    return token;
  }

  @Override
  public String getToken() {
    try {
      last = read(path);
    } catch (IOException e) {
      LOG.debug("The token file cannot be read now. file={}", path, e);
    }
    return last;
  }
}
