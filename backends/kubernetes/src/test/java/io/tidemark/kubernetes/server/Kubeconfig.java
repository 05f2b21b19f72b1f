package io.tidemark.kubernetes.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kubeconfig of a server that needs no certificate, or does not answer at all. */
public final class Kubeconfig {
  private Kubeconfig() {}

  /** Writes one to {@code folder}, with one context and a token; {@code server} is a URL. */
  public static Path write(Path folder, String server) throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "SERVER"}}]
        users: [{name: u, user: {token: x}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .replace("SERVER", server));
  }
}
