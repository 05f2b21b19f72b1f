package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cluster.AnnotatedNodesContract;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.cluster.NodeChange;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ResourceProblem;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Kubernetes Nodes in files (node-cidr 17.6 AM31)")
class DirectoryClusterNodeStoreTest extends AnnotatedNodesContract {
  private static final List<Cidr> ONE = List.of(Cidr.parse("10.244.3.0/24"));

  @TempDir private Path home;

  private StoreWorld files;
  private DirectoryClusterNodeStore store;

  @BeforeEach
  void opened() {
    files = new StoreWorld(home);
    store = open();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private DirectoryClusterNodeStore open() {
    return new DirectoryClusterNodeStore(
        home, DirectoryBackend.OPERATOR, files.environment(1), files.files);
  }

  @Override
  protected World world() {
    return new JsonFiles();
  }

  /** A file per node, which other programs write as a whole. */
  private final class JsonFiles implements World {
    private final Map<String, ObjectNode> nodes = new HashMap<>();
    private int writes;

    private ObjectNode node(String name) {
      return nodes.computeIfAbsent(name, any -> JsonNodeFactory.instance.objectNode());
    }

    private ObjectNode metadata(String name) {
      return node(name).withObjectProperty("metadata");
    }

    @Override
    public ClusterNodeStore store() {
      return store;
    }

    @Override
    public ClusterNode create(String name) {
      nodes.remove(name);
      node(name).put("apiVersion", "v1").put("kind", "Node");
      node(name).putObject("spec").put("providerID", "x");
      metadata(name).put("name", name).put("uid", "u-" + writes);
      heartbeat(name);
      store.load();
      return store.latest(name).orElseThrow();
    }

    @Override
    public void delete(String name) {
      files.delete(name + ".json");
    }

    @Override
    public void beginDeletion(String name) {
      metadata(name).put("deletionTimestamp", "2026-01-01T00:00:00Z");
      heartbeat(name);
    }

    @Override
    public void heartbeat(String name) {
      metadata(name).putObject("labels").put("n", writes++);
      files.write(name + ".json", node(name).toString());
    }

    @Override
    public void assign(String name, String... cidrs) {
      ObjectNode spec = node(name).withObjectProperty("spec").put("podCIDR", cidrs[0]);
      Stream.of(cidrs).forEach(spec.putArray("podCIDRs")::add);
      heartbeat(name);
    }

    @Override
    public void eventually(String what, BooleanSupplier holds) {
      files.eventually(what, holds);
    }
  }

  private static final String TWO =
      """
      # two nodes
      apiVersion: v1
      kind: List
      items:
      - apiVersion: v1
        kind: Node
        metadata: {name: a, uid: u-a}   # the first
        spec:
          providerID: 'kind://a'  # quoted
          taints: [ {key: k, effect: NoSchedule} ]
        status: {conditions: [{type: Ready, status: "True"}]}
      - kind: Node
        apiVersion: v1
        metadata:
          name: b
      """;

  @Test
  @DisplayName("of a file only the CIDRs change, and the other fields stay")
  void fields() throws ManifestDocument.Unreadable {
    given(TWO);
    List<Cidr> both = List.of(Cidr.parse("10.244.3.0/24"), Cidr.parse("2001:db8::/80"));
    assertThat(store.assignPodCidrs("a", "u-a", both)).isInstanceOf(NodeChange.Accepted.class);
    assertThat(store.assignPodCidrs("b", "", ONE)).isInstanceOf(NodeChange.Accepted.class);
    files.pass(1000);
    String wanted =
        TWO.replace(
                "  taints",
                "  podCIDR: 10.244.3.0/24\n"
                    + "    podCIDRs: [10.244.3.0/24, '2001:db8::/80']\n    taints")
            .replace("  name: b", "  name: b\n  spec: {podCIDR: &c 10.244.3.0/24, podCIDRs: [*c]}");
    assertThat(list(files.read("nodes.yaml"))).isEqualTo(list(wanted));
  }

  private void given(String text) {
    files.write("nodes.yaml", text);
    store.load();
  }

  private static JsonNode list(String text) throws ManifestDocument.Unreadable {
    return DocumentsYaml.read("nodes", text).get(0).root();
  }

  @Test
  @DisplayName("of a file only our annotations change, and those of others stay")
  void annotations() throws ManifestDocument.Unreadable {
    String before =
        TWO.replace(
            "metadata: {name: a, uid: u-a}",
            "metadata: {name: a, uid: u-a, annotations: {x: 'y', tidemark.io/node-id: \"4\"}}");
    given(before);
    ClusterNode seen = store.latest("a").orElseThrow();
    assertThat(store.annotate(seen, Map.of("tidemark.io/node-id", "5")))
        .isInstanceOf(NodeChange.Accepted.class);
    files.pass(1000);
    assertThat(list(files.read("nodes.yaml")))
        .isEqualTo(list(before.replace("node-id: \"4\"", "node-id: \"5\"")));
  }

  @Test
  @DisplayName("CIDRs that are set stay, a lone podCIDR too, and the file is not written")
  void set() {
    String lone = TWO.replace("  taints", "  podCIDR: 10.244.7.0/24\n    taints");
    given(lone);
    assertThat(store.assignPodCidrs("a", "u-a", ONE)).isInstanceOf(NodeChange.Occupied.class);
    assertThat(store.assignPodCidrs("a", "u-a", List.of(Cidr.parse("10.244.7.0/24"))))
        .isInstanceOf(NodeChange.Accepted.class);
    files.pass(1000);
    assertThat(files.read("nodes.yaml")).isEqualTo(lone);
  }

  @Test
  @DisplayName("a node without uid is known by its name")
  void withoutUid() {
    given(TWO);
    assertThat(store.latest("b").map(ClusterNode::owner)).contains("b");
    assertThat(store.assignPodCidrs("b", "u-b", ONE)).isEqualTo(new NodeChange.Gone());
    assertThat(store.assignPodCidrs("b", "", ONE)).isInstanceOf(NodeChange.Accepted.class);
  }

  @Test
  @DisplayName("what somebody else writes in the meantime stays, and is told")
  void clash() {
    files.write("nodes.yaml", TWO);
    Told told = new Told();
    Watch watch = store.watch(told);
    files.pass(15_000);
    files.write("nodes.yaml", TWO.replace("  taints", "  podCIDRs: [10.244.9.0/24]\n    taints"));
    assertThat(store.assignPodCidrs("a", "u-a", ONE)).isInstanceOf(NodeChange.Occupied.class);
    files.pass(15_000);
    assertThat(told.log()).last().isEqualTo("upserted a [10.244.9.0/24]");
    assertThat(files.read("nodes.yaml")).doesNotContain("10.244.3.0/24");
    assertThat(store.assignPodCidrs("a", "u-a", ONE)).isInstanceOf(NodeChange.Occupied.class);
    watch.close();
  }

  @Test
  @DisplayName("a node that cannot be read is told with file and line, and gets nothing")
  void unreadable() {
    files.write("nodes.yaml", TWO.replace("  taints", "  podCIDRs: 10.0.0.0/8\n    taints"));
    Told told = new Told();
    Watch watch = store.watch(told);
    files.pass(15_000);
    assertThat(told.log()).containsExactly("refused a", "upserted b []", "synced");
    assertThat(store.refused())
        .extracting(ResourceProblem::where, ResourceProblem::path, ResourceProblem::problem)
        .containsExactly(tuple(home + "/nodes.yaml:10", "items[0].spec.podCIDRs", "is not a list"));
    assertThat(store.get("a")).isInstanceOf(Reading.Failed.class);
    assertThat(store.assignPodCidrs("a", "u-a", ONE)).isInstanceOf(NodeChange.Refused.class);
    watch.close();
  }

  @Test
  @DisplayName("read-only, changes are in memory alone; the status is never written")
  void readOnly() {
    store.close();
    files.readOnly = true;
    store = open();
    given(TWO);
    assertThat(store.assignPodCidrs("b", "", ONE)).isInstanceOf(NodeChange.Accepted.class);
    assertThat(store.latest("b").map(node -> node.podCidrs().texts()))
        .contains(List.of("10.244.3.0/24"));
    assertThat(store.networkAvailable("b", "")).isInstanceOf(NodeChange.Refused.class);
    store.close();
    assertThat(files.read("nodes.yaml")).isEqualTo(TWO);
  }
}
