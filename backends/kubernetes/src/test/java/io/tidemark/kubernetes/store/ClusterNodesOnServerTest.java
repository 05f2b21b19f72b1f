package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.AnnotatedNodesContract;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.cluster.NodeChange;
import io.tidemark.ip.Cidr;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.time.SystemTime;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("kubernetes")
@DisplayName("Kubernetes Nodes in a real API server (node-cidr 17.1 AM5, 17.2 AM15)")
class ClusterNodesOnServerTest extends AnnotatedNodesContract {
  private static final String PATH = "/api/v1/nodes";

  @RegisterExtension private static final ApiServer server = ApiServer.ofClass();

  private ClusterConnection connection;
  private ClusterNodes nodes;

  @BeforeEach
  void open() throws Exception {
    connection = server.connect(ApiServer.User.ADMIN);
    nodes = ClusterNodes.watch(connection, SystemTime.instance(), Runnable::run, changed -> {});
    Eventually.holds("the nodes are listed", () -> nodes.exists("any").isPresent());
  }

  @AfterEach
  void clear() {
    nodes.close();
    connection.close();
    for (String name : List.of("n1", "n2")) {
      merge(name, "{\"metadata\":{\"finalizers\":null}}");
    }
    server.admin().client().raw(PATH, "DELETE", null);
  }

  /** Changes what is there; nothing where nothing is. */
  private static void merge(String name, String patch) {
    if (server.admin().client().nodes().withName(name).get() != null) {
      server.admin().client().raw(PATH + '/' + name, "PATCH", patch);
    }
  }

  @Override
  protected World world() {
    return new World() {
      private int beats = 1;

      @Override
      public ClusterNodeStore store() {
        return nodes;
      }

      @Override
      public ClusterNode create(String name) {
        String node =
            """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","labels":{"beat":"0"}}}
            """;
        server.admin().client().raw(PATH, "POST", node.formatted(name));
        return ((Reading.Found) nodes.get(name)).node();
      }

      @Override
      public void delete(String name) {
        server.admin().client().raw(PATH + '/' + name, "DELETE", null);
      }

      @Override
      public void beginDeletion(String name) {
        merge(name, "{\"metadata\":{\"finalizers\":[\"example.org/waits\"]}}");
        delete(name);
      }

      @Override
      public void heartbeat(String name) {
        merge(name, "{\"metadata\":{\"labels\":{\"beat\":\"%d\"}}}".formatted(beats++));
      }

      @Override
      public void assign(String name, String... cidrs) {
        List<String> all = Stream.of(cidrs).map(each -> '"' + each + '"').toList();
        merge(name, "{\"spec\":{\"podCIDR\":\"%s\",\"podCIDRs\":%s}}".formatted(cidrs[0], all));
      }

      @Override
      public void eventually(String what, BooleanSupplier holds) {
        Eventually.holds(what, holds::getAsBoolean);
      }
    };
  }

  private String made() {
    return world().create("n1").uid();
  }

  @Test
  @DisplayName(
      "a node created with podCIDRs alone has podCIDR, and the server tells who wrote both")
  void writer() {
    String uid = made();
    List<Cidr> one = List.of(Cidr.parse("10.244.3.0/24"));
    assertThat(nodes.assignPodCidrs("n1", uid, one)).isInstanceOf(NodeChange.Accepted.class);
    assertThat(nodes.latest("n1").flatMap(node -> node.podCidrs().writer()))
        .contains("tidemark-operator");
    assertThat(nodes.latest("n1").flatMap(ClusterNode::created)).isPresent();
    String bare = "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n2\"}}";
    server.admin().client().raw(PATH, "POST", bare);
    String cidrs = "{\"spec\":{\"podCIDRs\":[\"10.244.9.0/24\"]}}";
    server.admin().client().raw(PATH + "/n2?fieldManager=other", "PATCH", cidrs);
    assertThat(nodes.get("n2"))
        .isInstanceOfSatisfying(
            Reading.Found.class,
            found ->
                assertThat(found.node().podCidrs())
                    .isEqualTo(
                        new PodCidrs("10.244.9.0/24", List.of("10.244.9.0/24"), Optional.empty())));
  }

  @Test
  @DisplayName("the condition of a node is set, and those of others stay")
  void condition() {
    String uid = made();
    String ready =
        "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"},"
            + "{\"type\":\"NetworkUnavailable\",\"status\":\"True\"}]}}";
    server.admin().client().raw(PATH + "/n1/status", "PATCH", ready);
    assertThat(nodes.networkAvailable("n1", "another")).isEqualTo(new NodeChange.Gone());
    assertThat(nodes.networkAvailable("n1", uid)).isInstanceOf(NodeChange.Accepted.class);
    assertThat(nodes.latest("n1").flatMap(ClusterNode::networkUnavailable)).contains(false);
    assertThat(server.admin().client().nodes().withName("n1").get().getStatus().getConditions())
        .extracting("type", "status")
        .map(Object::toString)
        .containsExactlyInAnyOrder("(\"Ready\", \"True\")", "(\"NetworkUnavailable\", \"False\")");
  }

  @Test
  @DisplayName("who lacks the right to patch is refused, with the server's words")
  void forbidden() throws Exception {
    String uid = made();
    try (ClusterConnection nobody = server.connect(ApiServer.User.NOBODY)) {
      ClusterNodes theirs =
          ClusterNodes.watch(nobody, SystemTime.instance(), Runnable::run, changed -> {});
      assertThat(theirs.assignPodCidrs("n1", uid, List.of(Cidr.parse("10.244.3.0/24"))))
          .isInstanceOfSatisfying(
              NodeChange.Refused.class,
              refused -> assertThat(refused.detail()).contains("cannot patch resource \"nodes\""));
      assertThat(theirs.exists("n1")).isEqualTo(Optional.empty());
      theirs.close();
    }
  }
}
