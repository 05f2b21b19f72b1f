package io.tidemark.kubernetes;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code tokenFile} of a kubeconfig's user, which the client library leaves aside: its token
 * wins over {@code token} and is read for each request, since others exchange it. While the file
 * cannot be read the token that it held last is sent. Thread-safe.
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
   * That of the user of the current context; empty when there is none. A relative path begins at
   * the folder of the kubeconfig.
   *
   * @throws UncheckedIOException when the kubeconfig or the token cannot be read
   */
  static Optional<TokenFile> of(Config config) {
    File kubeconfig = config.getFileWithAuthInfo();
    if (kubeconfig == null || config.getCurrentContext() == null) {
      return Optional.empty();
    }
    String user = config.getCurrentContext().getContext().getUser();
    try {
      Optional<String> named =
          users(kubeconfig.toPath()).stream()
              .filter(each -> Objects.equals(each.getName(), user))
              .map(NamedAuthInfo::getUser)
              .filter(Objects::nonNull)
              .map(AuthInfo::getTokenFile)
              .filter(name -> name != null && !name.isEmpty())
              .findFirst();
      return named.isEmpty()
          ? Optional.empty()
          : Optional.of(new TokenFile(kubeconfig.toPath().resolveSibling(named.get())));
    } catch (IOException e) {
      throw new UncheckedIOException("a token cannot be read: " + e.getMessage(), e);
    }
  }

  private static List<NamedAuthInfo> users(Path kubeconfig) throws IOException {
    try (InputStream in = Files.newInputStream(kubeconfig)) {
      return Serialization.unmarshal(in, io.fabric8.kubernetes.api.model.Config.class).getUsers();
    }
  }

  private static String read(Path path) throws IOException {
    String token = Files.readString(path).strip();
    if (token.isEmpty()) {
      throw new IOException(path + " is empty");
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
