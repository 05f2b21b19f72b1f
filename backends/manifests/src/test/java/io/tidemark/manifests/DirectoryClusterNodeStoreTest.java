package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cluster.AnnotatedNodesContract;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.cluster.NodeChange;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.NodeResourceStore.Watch;
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
        home, DirectoryBackend.OPERATOR, files.environment(), files.files);
  }

  @Override
  protected World world() {
    return new JsonFiles();
  }

  /** A file per node, which other programs write as a whole. */
  private final class JsonFiles implements World {
    private final Map<String, String> metadata = new HashMap<>();
    private final Map<String, String> spec = new HashMap<>();
    private int writes;

    private void write(String name) {
      files.write(
          name + ".json",
          "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {"
              + metadata.get(name)
              + ", \"labels\": {\"n\": \""
              + writes++
              + "\"}}, \"spec\": {"
              + spec.get(name)
              + "}}");
    }

    @Override
    public ClusterNodeStore store() {
      return store;
    }

    @Override
    public ClusterNode create(String name) {
      metadata.put(name, "\"name\": \"" + name + "\", \"uid\": \"u-" + writes + "\"");
      spec.put(name, "\"providerID\": \"x\"");
      write(name);
      store.load();
      return store.latest(name).orElseThrow();
    }

    @Override
    public void delete(String name) {
      files.delete(name + ".json");
    }

    @Override
    public void beginDeletion(String name) {
      metadata.merge(name, ", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"", String::concat);
      write(name);
    }

    @Override
    public void heartbeat(String name) {
      write(name);
    }

    @Override
    public void assign(String name, String... cidrs) {
      spec.put(
          name,
          "\"podCIDR\": \""
              + cidrs[0]
              + "\", \"podCIDRs\": "
              + Stream.of(cidrs).map(each -> '"' + each + '"').toList());
      write(name);
    }

    @Override
    public void eventually(String what, BooleanSupplier holds) {
      for (int i = 0; i < 30 && !holds.getAsBoolean(); i++) {
        files.pass(1000);
      }
      assertThat(holds.getAsBoolean()).as(what).isTrue();
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
    files.write("nodes.yaml", TWO);
    store.load();
    List<Cidr> both = List.of(Cidr.parse("10.244.3.0/24"), Cidr.parse("2001:db8::/80"));
    assertThat(store.assignPodCidrs("a", "u-a", both)).isInstanceOf(NodeChange.Accepted.class);
    assertThat(store.assignPodCidrs("b", "", ONE)).isInstanceOf(NodeChange.Accepted.class);
    files.pass(1000);
    ObjectNode wanted = (ObjectNode) list(TWO);
    ((ObjectNode) wanted.at("/items/0/spec")).put("podCIDR", "10.244.3.0/24");
    ((ObjectNode) wanted.at("/items/0/spec"))
        .putArray("podCIDRs")
        .add("10.244.3.0/24")
        .add("2001:db8::/80");
    ObjectNode spec = ((ObjectNode) wanted.at("/items/1")).putObject("spec");
    spec.put("podCIDR", "10.244.3.0/24").putArray("podCIDRs").add("10.244.3.0/24");
    assertThat(list(files.read("nodes.yaml"))).isEqualTo(wanted);
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
    files.write("nodes.yaml", before);
    store.load();
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
    files.write("nodes.yaml", lone);
    store.load();
    assertThat(store.assignPodCidrs("a", "u-a", ONE)).isInstanceOf(NodeChange.Occupied.class);
    assertThat(store.assignPodCidrs("a", "u-a", List.of(Cidr.parse("10.244.7.0/24"))))
        .isInstanceOf(NodeChange.Accepted.class);
    files.pass(1000);
    assertThat(files.read("nodes.yaml")).isEqualTo(lone);
  }

  @Test
  @DisplayName("a node without uid is known by its name")
  void withoutUid() {
    files.write("nodes.yaml", TWO);
    store.load();
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
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.where()).endsWith("nodes.yaml:10");
              assertThat(problem.path()).isEqualTo("items[0].spec.podCIDRs");
              assertThat(problem.problem()).isEqualTo("is not a list");
            });
    assertThat(store.get("a")).isInstanceOf(Reading.Failed.class);
    assertThat(store.assignPodCidrs("a", "u-a", ONE)).isInstanceOf(NodeChange.Refused.class);
    watch.close();
  }

  @Test
  @DisplayName("read-only, changes are in memory alone; the status is never written")
  void readOnly() {
    store.close();
    files.write("nodes.yaml", TWO);
    files.readOnly = true;
    store = open();
    store.load();
    assertThat(store.assignPodCidrs("b", "", ONE)).isInstanceOf(NodeChange.Accepted.class);
    assertThat(store.latest("b").map(node -> node.podCidrs().texts()))
        .contains(List.of("10.244.3.0/24"));
    assertThat(store.networkAvailable("b", "")).isInstanceOf(NodeChange.Refused.class);
    store.close();
    assertThat(files.read("nodes.yaml")).isEqualTo(TWO);
  }
}
