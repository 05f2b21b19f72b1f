package io.tidemark.kubernetes.server;

import io.tidemark.kubernetes.server.ApiServer.User;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The credentials by which an API server and its users know each other, in files of one folder:
 * tokens, the keys of service accounts, the certificate that the server makes for itself.
 */
final class Credentials {
  private final Path folder;

  private Credentials(Path folder) {
    this.folder = folder;
  }

  /** Writes those of all users there. */
  static Credentials in(Path folder) throws IOException {
    Credentials made = new Credentials(folder);
    Files.createDirectories(made.certificates());
    KeyPair pair = keyPair();
    writePem(made.privateKey(), "PRIVATE KEY", pair.getPrivate().getEncoded());
    writePem(made.publicKey(), "PUBLIC KEY", pair.getPublic().getEncoded());
    StringBuilder tokens = new StringBuilder();
    for (User user : User.values()) {
      tokens.append(user.token()).append(',').append(user.login()).append(',');
      tokens.append(user.login()).append(',').append(user.group()).append('\n');
    }
    Files.writeString(made.tokens(), tokens);
    return made;
  }

  /** Who is who by which token. */
  Path tokens() {
    return folder.resolve("tokens.csv");
  }

  /** Signs the tokens of service accounts. */
  Path privateKey() {
    return folder.resolve("sa.key");
  }

  /** The key that checks those. */
  Path publicKey() {
    return folder.resolve("sa.pub");
  }

  /** Where the server puts its certificate. */
  Path certificates() {
    return folder.resolve("certs");
  }

  /** That certificate; not there before the server has begun. */
  Path certificate() {
    return certificates().resolve("apiserver.crt");
  }

  /** Writes a kubeconfig with one context, {@code test}, of the server behind that port. */
  Path kubeconfig(User user, int port) throws IOException {
    Path file = folder.resolve("kubeconfig-" + user.login() + '-' + port);
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: test
          cluster:
            server: https://127.0.0.1:%d
            certificate-authority-data: %s
        users:
        - name: %s
          user: {token: %s}
        contexts:
        - name: test
          context: {cluster: test, user: %s, namespace: default}
        current-context: test
        """
            .formatted(
                port,
                Base64.getEncoder().encodeToString(Files.readAllBytes(certificate())),
                user.login(),
                user.token(),
                user.login()));
    return file;
  }

  private static void writePem(Path file, String kind, byte[] content) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        file,
        "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n",
        StandardCharsets.US_ASCII);
  }

  private static KeyPair keyPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
