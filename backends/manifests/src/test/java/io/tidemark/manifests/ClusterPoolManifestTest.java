package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("CiliumNodes in files, as an operator writes them that gives nodes CIDRs")
class ClusterPoolManifestTest {
  private static final String TWO =
      """
      # two nodes
      apiVersion: cilium.io/v2
      kind: CiliumNode
      metadata: {name: a}   # the first
      spec:
        encryption: {key: 0x7}
        ipam:
          podCIDRs: ['010.0.3.0/24']  # by hand
      status: {ipam: {operator-status: {since: 1.10}}}
      ---
      apiVersion: cilium.io/v2
      kind: CiliumNode
      metadata:
        name: b
      spec: {}
      """;

  @TempDir Path home;
  private StoreWorld files;

  @BeforeEach
  void start() {
    files = new StoreWorld(home);
    files.write("nodes.yaml", TWO);
  }

  private DirectoryNodeResourceStore open(ManifestKind<NodeResource> kind) {
    DirectoryNodeResourceStore store = files.open(kind, home);
    store.load();
    return store;
  }

  @Test
  @DisplayName("NC-AM27 CIDRs and the operator's error change, other fields stay")
  void fields() throws UnreadableManifest {
    try (DirectoryNodeResourceStore store = open(ManifestKind.CILIUM_NODE_OF_CLUSTER_POOL)) {
      NodeResource a = StoreWorld.latest(store, "a");
      a =
          StoreWorld.stored(
              store.update(a, a.withPodCidrs(List.of("010.0.3.0/24", "2001:db8::/112"))));
      a = StoreWorld.stored(store.updateStatus(a, a.withOperatorError("allocator full")));
      NodeResource b = StoreWorld.latest(store, "b");
      b = StoreWorld.stored(store.update(b, b.withPodCidrs(List.of("10.0.4.0/24"))));
      assertThat(b.podCidrs()).containsExactly("10.0.4.0/24");
      files.pass(1000);
      JsonNode written = documents().get(0);
      assertThat(written.at("/spec/ipam/podCIDRs"))
          .hasToString("[\"010.0.3.0/24\",\"2001:db8::/112\"]");
      assertThat(written.at("/status/ipam/operator-status"))
          .hasToString("{\"since\":1.10,\"error\":\"allocator full\"}");
      assertThat(documents().get(1).at("/spec/ipam/podCIDRs")).hasToString("[\"10.0.4.0/24\"]");
      a = StoreWorld.stored(store.updateStatus(a, a.withOperatorError("")));
      assertThat(a.operatorError()).isEmpty();
      files.pass(1000);
      assertThat(documents().get(0).at("/status/ipam/operator-status"))
          .hasToString("{\"since\":1.10}");
    }
  }

  private List<JsonNode> documents() throws UnreadableManifest {
    return DocumentsYaml.read(files.read("nodes.yaml")).stream()
        .map(ManifestDocument::root)
        .toList();
  }

  @Test
  @DisplayName("NC-AM27 in this mode nothing else is written, and in others no CIDR is")
  void owned() {
    files.delete("nodes.yaml");
    String one = TWO.substring(0, TWO.indexOf("---"));
    files.write("a.yaml", one);
    try (DirectoryNodeResourceStore store = open(ManifestKind.CILIUM_NODE_OF_CLUSTER_POOL)) {
      NodeResource a = StoreWorld.latest(store, "a");
      assertRefused(store.update(a, a.withPreAllocate(8)), "spec.ipam.pre-allocate");
      assertRefused(
          store.updateStatus(a, StoreWorld.withMark(a, "10.0.0.1")), "status.ipam.release-ips");
    }
    try (DirectoryNodeResourceStore store = open(ManifestKind.CILIUM_NODE)) {
      NodeResource a = StoreWorld.latest(store, "a");
      assertRefused(store.update(a, a.withPodCidrs(List.of("10.0.4.0/24"))), "spec.ipam.podCIDRs");
    }
    assertThat(files.read("a.yaml")).isEqualTo(one);
  }

  private static void assertRefused(StoreResult result, String path) {
    assertThat(result).isInstanceOf(StoreResult.Failed.class);
    assertThat(((StoreResult.Failed) result).detail())
        .contains("at " + path)
        .contains("this program never writes it");
  }
}
