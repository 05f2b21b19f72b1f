package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.tidemark.error.IpamException;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("How the API server is reached")
class ClusterConnectionTest {
  private static final Duration TIMEOUT = Hang.LIMIT;
  private static final String TWO_CONTEXTS =
      """
      apiVersion: v1
      kind: Config
      clusters:
      - {name: east, cluster: {server: "https://east.example", insecure-skip-tls-verify: true}}
      - {name: west, cluster: {server: "https://west.example"}}
      users:
      - {name: anna, user: {username: anna, password: her-own}}
      - {name: otto, user: {token: his-own}}
      contexts:
      - {name: east, context: {cluster: east, user: anna, namespace: eastern}}
      - {name: west, context: {cluster: west, user: otto}}
      current-context: east
      """;

  private static final String CERTIFICATE =
      """
      -----BEGIN CERTIFICATE-----
      MIIBbjCCAROgAwIBAgIUPmQh2uAE0yE18vcPoQJsnLlXeugwCgYIKoZIzj0EAwIw
      DDEKMAgGA1UEAwwBeDAeFw0yNjExMjkwMjUwNTBaFw0yNjEyMDIwMjUwNTBaMAwx
      CjAIBgNVBAMMAXgwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARmNWRsu+OM00lJ
      wDZTli3jJPXDdx4N+pZwC1mBC/t4PZoRXhPExiOJbVzDBmiw6+APuPtuOyy0O8Xc
      Yfrq9/gto1MwUTAdBgNVHQ4EFgQULfSpahVgk0MMWhBIIRQWJS0Iq+4wHwYDVR0j
      BBgwFoAULfSpahVgk0MMWhBIIRQWJS0Iq+4wDwYDVR0TAQH/BAUwAwEB/zAKBggq
      hkjOPQQDAgNJADBGAiEA2Uqdh1gHsA1nebvqA5Xh1Fa00D45B3gX6IgX8YsC8nkC
      IQCPRUw0rLuV2XAQqNTK8b8rZarmPioKr+t0DqJY5l1gJQ==
      -----END CERTIFICATE-----
      """;

  @TempDir private Path folder;

  private final Map<String, @Nullable String> before = new LinkedHashMap<>();

  /** Nothing of the machine's own surroundings. */
  @BeforeEach
  void alone() {
    surround("kubeconfig", folder.resolve("none").toString());
    for (String name :
        new String[] {"http.proxy", "https.proxy", "all.proxy", "no.proxy", "kubernetes.master"}) {
      surround(name, "");
    }
  }

  /** The library reads these where the environment's variables are read, and before them. */
  private void surround(String name, String value) {
    before.putIfAbsent(name, System.getProperty(name));
    if (value.isEmpty()) {
      System.clearProperty(name);
    } else {
      System.setProperty(name, value);
    }
  }

  @AfterEach
  void restore() {
    before.forEach(
        (name, value) -> {
          if (value == null) {
            System.clearProperty(name);
          } else {
            System.setProperty(name, value);
          }
        });
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("kubeconfig"), text);
  }

  private static ClusterConnection open(Optional<Path> file, Optional<String> context) {
    return ClusterConnection.open(new ClusterAccess(file, context, TIMEOUT));
  }

  @Test
  @DisplayName("by a kubeconfig: its current context, our bounds, and no request is repeated")
  void kubeconfig() throws Exception {
    try (ClusterConnection connection = open(Optional.of(file(TWO_CONTEXTS)), Optional.empty())) {
      Config config = connection.client().getConfiguration();
      assertThat(connection.server()).isEqualTo("https://east.example/");
      assertThat(connection.namespace()).isEqualTo("eastern");
      assertThat(config.getUsername()).isEqualTo("anna");
      assertThat(config.isTrustCerts()).isTrue();
      assertThat(config.getRequestTimeout()).isEqualTo(120_000);
      assertThat(config.getConnectionTimeout()).isEqualTo(120_000);
      assertThat(config.getRequestRetryBackoffLimit()).isZero();
      assertThat(config.getWatchReconnectLimit()).isEqualTo(-1);
      assertThat(config.getUserAgent()).isEqualTo("tidemark-operator");
    }
  }

  @Test
  @DisplayName("by a program of another name: the server is told that name")
  void userAgent() throws Exception {
    ClusterAccess access =
        new ClusterAccess(Optional.of(file(TWO_CONTEXTS)), Optional.empty(), TIMEOUT);
    try (ClusterConnection connection =
        ClusterConnection.open(access.withUserAgent("tidemark-agent"))) {
      assertThat(connection.client().getConfiguration().getUserAgent()).isEqualTo("tidemark-agent");
    }
  }

  @Test
  @DisplayName("by another context of the usual file: nothing of the current one is sent there")
  void otherContext() throws Exception {
    surround("kubeconfig", file(TWO_CONTEXTS).toString());
    try (ClusterConnection connection = open(Optional.empty(), Optional.of("west"))) {
      Config config = connection.client().getConfiguration();
      assertThat(connection.server()).isEqualTo("https://west.example/");
      assertThat(connection.namespace()).isEqualTo("kube-system");
      assertThat(config.getAutoOAuthToken()).isEqualTo("his-own");
      assertThat(config.getUsername()).isNull();
      assertThat(config.getPassword()).isNull();
      assertThat(config.isTrustCerts()).isFalse();
    }
  }

  @Test
  @DisplayName("a context that is not there, and a file that is none, are refused by name")
  void refused() throws Exception {
    Path file = file(TWO_CONTEXTS);
    assertThatThrownBy(() -> open(Optional.of(file), Optional.of("north")))
        .hasMessageContaining("TM-1025")
        .hasMessageContaining("there is no context 'north'");
    assertThatThrownBy(() -> open(Optional.of(folder.resolve("x")), Optional.empty()))
        .hasMessageContaining("cannot be read");
    Files.writeString(file, "clusters: [");
    assertThatThrownBy(() -> open(Optional.of(file), Optional.empty()))
        .hasMessageContaining("TM-1025");
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private Path certified(String certificate, String key) throws IOException {
    return file(
        TWO_CONTEXTS.replace(
            "username: anna, password: her-own",
            "client-certificate-data: \"" + certificate + "\", client-key-data: \"" + key + '"'));
  }

  @Test
  @DisplayName("a key or a certificate that was copied in part is a wrong setting, and is named")
  void broken() throws Exception {
    String key = base64("-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\n");
    Path cut = certified(base64(CERTIFICATE), key);
    assertThatThrownBy(() -> open(Optional.of(cut), Optional.empty()))
        .isInstanceOf(IpamException.class)
        .hasMessageStartingWith("TM-1025 CLUSTER_ACCESS: the kubeconfig " + cut + " is refused: ")
        .hasMessageContaining("client-key-data cannot be used: PEM is invalid")
        .hasMessageNotContaining(key);
    Path none = certified("%%%", key);
    assertThatThrownBy(() -> open(Optional.of(none), Optional.empty()))
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("client-certificate-data cannot be used: ");
  }

  @Test
  @DisplayName("without any place that names a cluster: refused, and no server is made up")
  void nowhere() {
    surround("kubernetes.auth.tryKubeConfig", "false");
    surround("kubernetes.auth.tryServiceAccount", "false");
    assertThatThrownBy(() -> open(Optional.empty(), Optional.empty()))
        .hasMessageContaining("TM-1025")
        .hasMessageContaining("no cluster is named");
  }

  @Test
  @DisplayName("in a pod by its service account, whose token is read again when it was exchanged")
  void serviceAccount() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "first");
    try (MockCluster cluster = MockCluster.startEncrypted()) {
      surround("kubernetes.auth.tryKubeConfig", "false");
      surround("kubernetes.auth.serviceAccount.token", token.toString());
      surround("kubernetes.trust.certificates", "true");
      surround("kubernetes.disable.hostname.verification", "true");
      surround("KUBERNETES_SERVICE_HOST", "127.0.0.1");
      surround("KUBERNETES_SERVICE_PORT", Integer.toString(cluster.port()));
      try (ClusterConnection connection = open(Optional.empty(), Optional.empty())) {
        assertThat(connection.client().configMaps().inNamespace("x").list().getItems()).isEmpty();
        Files.writeString(token, "second");
        cluster.answerOnce(
            request -> request.authorization().equals("Bearer first"),
            MockCluster.status(401, "Unauthorized", "Unauthorized"));
        assertThat(connection.client().configMaps().inNamespace("x").list().getItems()).isEmpty();
      }
      assertThat(cluster.requests())
          .extracting(Asked::authorization)
          .containsExactly("Bearer first", "Bearer first", "Bearer second");
    }
  }

  @Test
  @DisplayName("by the tokenFile of a kubeconfig's user, which is read for each request")
  void tokenFile() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "first\n");
    try (MockCluster cluster = MockCluster.start()) {
      Path file =
          file(cluster.kubeconfig("").replace("token: secret", "token: secret, tokenFile: token"));
      try (ClusterConnection connection = open(Optional.of(file), Optional.empty())) {
        assertThat(connection.client().configMaps().inNamespace("x").list().getItems()).isEmpty();
        Files.writeString(token, "second");
        assertThat(connection.client().configMaps().inNamespace("x").list().getItems()).isEmpty();
        Files.delete(token);
        assertThat(connection.client().configMaps().inNamespace("x").list().getItems()).isEmpty();
      }
      assertThat(cluster.requests())
          .extracting(Asked::authorization)
          .containsExactly("Bearer first", "Bearer second", "Bearer second");
      assertThatThrownBy(() -> open(Optional.of(file), Optional.empty()))
          .hasMessageContaining("TM-1025")
          .hasMessageContaining(token.toString());
      Files.writeString(token, "\n");
      assertThatThrownBy(() -> open(Optional.of(file), Optional.empty()))
          .hasMessageContaining(token + " cannot be read: it is empty");
    }
  }

  private static boolean isProxied(Asked request) {
    return request.path().startsWith("http://");
  }

  /** Where a request goes. */
  private static void ask(Path kubeconfig) {
    try (ClusterConnection connection = open(Optional.of(kubeconfig), Optional.empty())) {
      assertThat(connection.client().configMaps().inNamespace("x").list().getItems()).isEmpty();
    }
  }

  @Test
  @DisplayName("through the proxy of the surroundings, or past it where NO_PROXY says so")
  void proxyOfSurroundings() throws Exception {
    try (MockCluster cluster = MockCluster.start();
        MockCluster proxy = MockCluster.start()) {
      Path kubeconfig = file(cluster.kubeconfig(""));
      surround("http.proxy", "http://127.0.0.1:" + proxy.port());
      ask(kubeconfig);
      assertThat(proxy.requests()).hasSize(1).allMatch(ClusterConnectionTest::isProxied);
      assertThat(cluster.requests()).isEmpty();
      surround("no.proxy", "10.0.0.0/8,127.0.0.1");
      ask(kubeconfig);
      assertThat(proxy.requests()).hasSize(1);
      assertThat(cluster.requests()).hasSize(1);
    }
  }

  @Test
  @DisplayName("through the proxy that the kubeconfig names, whatever the surroundings name")
  void proxyOfKubeconfig() throws Exception {
    try (MockCluster cluster = MockCluster.start();
        MockCluster proxy = MockCluster.start()) {
      surround("http.proxy", "http://127.0.0.1:1");
      ask(file(cluster.kubeconfig(", proxy-url: \"http://127.0.0.1:" + proxy.port() + "\"")));
      assertThat(proxy.requests()).hasSize(1);
      assertThat(cluster.requests()).isEmpty();
    }
  }
}
