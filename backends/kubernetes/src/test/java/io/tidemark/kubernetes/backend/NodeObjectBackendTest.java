package io.tidemark.kubernetes.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.config.ConfigSource;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.backend.KubernetesBackend.WhenAbsent;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.resource.NodeResource;
import io.tidemark.testing.Hang;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The backend of one node's program, when the node has no object")
class NodeObjectBackendTest {
  private static final String NODE = "/api/v1/nodes";

  @TempDir private Path folder;

  private final MockCluster cluster = MockCluster.start();
  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private Duration latency = Duration.ZERO;
  private ClusterConnection admin;
  private CiliumNodes nodes;
  private @Nullable NodeBackend backend;

  @BeforeEach
  void connect() throws Exception {
    admin = cluster.connect(folder);
    nodes = new CiliumNodes(admin);
  }

  @AfterEach
  void close() {
    if (backend != null) {
      backend.close();
    }
    admin.close();
    cluster.close();
  }

  private NodeBackend open(WhenAbsent whenAbsent, boolean readOnly) {
    ClusterAccess access =
        new ClusterAccess(Optional.of(folder.resolve("kubeconfig")), Optional.empty(), Hang.LIMIT);
    NodeBackend opened =
        KubernetesBackend.ofNode("n1", whenAbsent, access.withUserAgent("tidemark-agent"))
            .open(
                new Backend.Environment(
                    ConfigSource.of(Map.of()),
                    time,
                    time.effects((site, timeout) -> EffectFate.answered(latency, Duration.ZERO)),
                    new Random(1),
                    readOnly));
    backend = opened;
    Eventually.holds(
        "it is listed",
        () ->
            cluster.requests("GET").stream().anyMatch(it -> it.path().contains("watch=true"))
                && opened.trouble().isEmpty());
    return opened;
  }

  /** Lets a few looks pass. */
  private void looks() {
    time.runUntil(time.nanos() + Duration.ofSeconds(11).toNanos());
  }

  private void createOwner(String spec) {
    String node =
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"},\"spec\":{%s}}";
    admin.client().raw(NODE, "POST", node.formatted(spec));
  }

  private long creations() {
    return cluster.requests("POST").stream()
        .filter(
            it ->
                it.path()
                    .equals(
                        CiliumNodes.PATH
                            + "?fieldManager=tidemark-agent&timeout="
                            + Hang.SECONDS
                            + "s"))
        .count();
  }

  @Test
  @DisplayName("it is created once, owned by the Kubernetes Node, as soon as that is registered")
  void created() {
    NodeBackend opened = open(WhenAbsent.CREATE, false);
    looks();
    assertThat(opened.trouble()).containsExactly("the cluster has no Kubernetes Node n1");
    assertThat(creations()).isZero();
    createOwner("\"podCIDRs\":[\"10.1.0.0/24\"]");
    looks();
    looks();

    NodeResource made = nodes.node("n1");
    assertThat(made.podCidrs()).isEmpty();
    assertThat(nodes.text("n1"))
        .contains("\"ownerReferences\"", "\"kind\":\"Node\"")
        .contains(admin.client().nodes().withName("n1").get().getMetadata().getUid());
    assertThat(opened.store().latest("n1")).map(NodeResource::owned).contains(true);
    assertThat(opened.trouble()).isEmpty();
    assertThat(creations()).isEqualTo(1);
  }

  @Test
  @DisplayName("with CIDRs of the Kubernetes Node it is not created before the Node has some")
  void withCidrs() {
    createOwner("");
    NodeBackend opened = open(WhenAbsent.CREATE_WITH_POD_CIDRS, false);
    looks();
    assertThat(opened.trouble())
        .containsExactly("spec.podCIDRs of the Kubernetes Node n1 is empty");
    assertThat(creations()).isZero();
    admin.client().raw(NODE + "/n1", "DELETE", null);
    createOwner("\"podCIDRs\":[\"10.1.0.0/24\", \"fd00::/64\"]");
    looks();

    assertThat(nodes.node("n1").podCidrs()).containsExactly("10.1.0.0/24", "fd00::/64");
  }

  @Test
  @DisplayName("it is created again when it was deleted")
  void again() {
    createOwner("");
    NodeBackend opened = open(WhenAbsent.CREATE, false);
    looks();
    nodes.delete("n1");
    Eventually.holds("the end is known", () -> opened.store().latest("n1").isEmpty());
    looks();

    assertThat(nodes.node("n1").owned()).isTrue();
    assertThat(creations()).isEqualTo(2);
  }

  @Test
  @DisplayName("a request that is under way when the program ends is no trouble")
  void closed() {
    createOwner("");
    latency = Duration.ofSeconds(1);
    NodeBackend opened = open(WhenAbsent.CREATE, false);
    time.runUntil(time.nanos() + Duration.ofMillis(500).toNanos());
    opened.close();
    backend = null;
    looks();

    assertThat(opened.trouble()).isEmpty();
  }

  @Test
  @DisplayName("an object of another is left alone")
  void present() {
    createOwner("");
    nodes.create(NodeResource.named("n1").withInstanceId("i-1"));
    NodeBackend opened = open(WhenAbsent.CREATE, false);
    looks();

    assertThat(opened.trouble()).isEmpty();
    assertThat(creations()).isZero();
    assertThat(cluster.requests("GET")).noneMatch(it -> it.path().equals(NODE + "/n1"));
  }

  @Test
  @DisplayName("what refuses the Node or the object is told, and tried again")
  void refused() {
    createOwner("");
    NodeBackend opened = open(WhenAbsent.CREATE, false);
    cluster.answerOnce(
        it -> it.path().equals(NODE + "/n1"),
        MockCluster.status(403, "Forbidden", "cannot get resource \"nodes\""));
    time.runUntil(time.nanos() + Duration.ofSeconds(1).toNanos());
    assertThat(opened.trouble())
        .singleElement()
        .asString()
        .contains("cannot get resource \"nodes\". Grant it");
    cluster.answerOnce(
        it -> it.verb().equals("POST"), MockCluster.status(422, "Invalid", "no such field"));
    time.runUntil(time.nanos() + Duration.ofSeconds(5).toNanos());
    assertThat(opened.trouble()).containsExactly("no such field");
    looks();

    assertThat(opened.trouble()).isEmpty();
    assertThat(nodes.node("n1").owned()).isTrue();
  }

  @Test
  @DisplayName("another who was faster is no trouble")
  void faster() {
    createOwner("");
    NodeBackend opened = open(WhenAbsent.CREATE, false);
    cluster.answerOnce(
        it -> it.verb().equals("POST"), MockCluster.status(409, "AlreadyExists", "it exists"));
    time.runUntil(time.nanos() + Duration.ofSeconds(1).toNanos());

    assertThat(opened.trouble()).isEmpty();
  }

  @Test
  @DisplayName("who waits, only reads or is closed creates nothing")
  void waits() {
    createOwner("");
    open(WhenAbsent.WAIT, false).close();
    open(WhenAbsent.CREATE, true).close();
    open(WhenAbsent.CREATE, false).close();
    looks();

    assertThat(creations()).isZero();
  }
}
