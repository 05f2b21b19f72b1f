package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.operator.Program.Result;
import io.tidemark.resource.NodeResource;
import io.tidemark.testing.Repository;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("kubernetes")
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@DisplayName("run --ipam=cluster-pool in a cluster, with the rights of deploy/cluster-pool alone")
class ClusterPoolOnServerTest {
  private static final String RUN =
      "run --ipam=cluster-pool --cluster-pool-ipv4-cidr=10.0.0.0/21"
          + " --cluster-pool-ipv6-cidr=fd00::/106 --node-cidr-cool-down=2s"
          + " --node-cidr-takeover-hold=2s ";

  @RegisterExtension private static final ApiServer server = ApiServer.ofClass();
  private static CiliumNodes nodes;
  private static Path kubeconfig;

  @BeforeAll
  static void start() throws Exception {
    nodes = new CiliumNodes(server.admin());
    kubeconfig = server.kubeconfig(User.OPERATOR);
    grant(server.admin().client());
  }

  /** The rights of deploy/base without those to read Pods, in the namespace of this test. */
  private static void grant(KubernetesClient client) {
    for (String file : List.of("clusterrole.yaml", "role.yaml", "role-events.yaml")) {
      String text =
          Repository.text("deploy/base/" + file)
              .replace(
                  "kind: ServiceAccount\n  name: tidemark-operator\n  namespace: kube-system",
                  "kind: Group\n  name: operators\n  apiGroup: rbac.authorization.k8s.io")
              .replace("namespace: kube-system", "namespace: default")
              .replace("[pods]", "[nodes]");
      for (String each : text.split("(?m)^---$", -1)) {
        HasMetadata object = client.getKubernetesSerialization().unmarshal(each);
        client.resource(object).create();
      }
    }
  }

  private static void create(String name, String ipam) {
    nodes.create(
        "{\"apiVersion\":\"cilium.io/v2\",\"kind\":\"CiliumNode\",\"metadata\":{\"name\":\""
            + name
            + "\"},\"spec\":{\"ipam\":{"
            + ipam
            + "}}}");
  }

  private static String cidrs(String name) {
    return String.join(" ", nodes.node(name).podCidrs());
  }

  private static String errorOf(String name) {
    return nodes.node(name).operatorError().orElse("");
  }

  private static String[] arguments(String words) {
    return Program.arguments(RUN + words, "--kubeconfig=" + kubeconfig);
  }

  @Test
  @Order(1)
  @DisplayName("NC-P4 NC-P5 NC-P7 run --once gives CIDRs, adds a family, and tells duplicates")
  void once() {
    create("a", "\"pre-allocate\":8");
    create("half", "\"podCIDRs\":[\"10.0.1.0/24\"]");
    create("one", "\"podCIDRs\":[\"10.0.2.0/24\",\"fd00::2:0/112\"]");
    create("two", "\"podCIDRs\":[\"10.0.2.0/24\",\"fd00::3:0/112\"]");

    Program.run(arguments("--once")).ends(3);

    assertThat(cidrs("a")).isEqualTo("10.0.0.0/24 fd00::/112");
    assertThat(nodes.node("a").ipam().preAllocate()).isEqualTo(8);
    assertThat(cidrs("half")).isEqualTo("10.0.1.0/24 fd00::1:0/112");
    assertThat(cidrs("one")).isEqualTo("10.0.2.0/24 fd00::2:0/112");
    for (String name : List.of("one", "two")) {
      assertThat(errorOf(name))
          .startsWith("requested CIDR (10.0.2.0/24) is already allocated [TM-1403]");
    }
    String version = nodes.node("a").resourceVersion();
    assertThat(Program.run(arguments("--once")).exitCode()).isEqualTo(3);
    assertThat(nodes.node("a").resourceVersion()).isEqualTo(version);
  }

  @Test
  @Order(2)
  @DisplayName("NC-P6 NC-P8 NC-P10 NC-P12 it serves what comes, mends what is removed, tells it")
  void running() throws Exception {
    Program program = Program.start(arguments("--port=0"));
    program.awaitErr("This operator leads");
    nodes.delete("two");
    Eventually.holds("the error is gone", () -> errorOf("one").isEmpty());
    nodes.writeSpec(nodes.node("a").withPodCidrs(List.of()));
    Eventually.holds("written back", () -> cidrs("a").equals("10.0.0.0/24 fd00::/112"));
    create("late", "");
    Eventually.holds("late has CIDRs", () -> nodes.node("late").podCidrs().size() == 2);
    String before = cidrs("late");
    nodes.delete("late");
    create("late", "");
    Eventually.holds("its own again", () -> cidrs("late").equals(before));
    nodes.writeSpec(nodes.node("late").withPodCidrs(List.of("10.0.7.0/24", "fd00::9:0/112")));
    Eventually.holds(
        "told",
        () ->
            errorOf("late")
                .startsWith(
                    "node has CIDRs allocated (" + before.substring(0, before.indexOf(' '))));
    assertThat(cidrs("late")).isEqualTo("10.0.7.0/24 fd00::9:0/112");
    Eventually.holds(
        "there is an Event",
        () ->
            server.admin().client().v1().events().inNamespace("default").list().getItems().stream()
                .anyMatch(
                    event ->
                        event.getInvolvedObject().getKind().equals("CiliumNode")
                            && event.getMessage().contains("TM-1406")));
    assertThat(program.stop().exitCode()).isZero();
  }

  @Test
  @Order(3)
  @DisplayName("NC-P4 200 nodes at once, with an agent that writes each of them meanwhile")
  void many() throws Exception {
    Program program =
        Program.start(
            Program.arguments(
                "run --ipam=cluster-pool --cluster-pool-ipv4-cidr=10.0.0.0/8"
                    + " --node-cidr-cool-down=1s --node-cidr-takeover-hold=1s --port=0",
                "--kubeconfig=" + kubeconfig));
    program.awaitErr("This operator leads");
    List<String> names = Stream.iterate(0, i -> i + 1).limit(200).map(i -> "m" + i).toList();
    for (String name : names) {
      create(name, "");
      try {
        nodes.writeStatus(nodes.node(name).withOperatorError("of an agent"));
      } catch (RuntimeException conflict) {
        assertThat(conflict).hasMessageContaining("modified");
      }
    }
    Eventually.holds(
        "all have one",
        () -> names.stream().allMatch(name -> nodes.node(name).podCidrs().size() == 1));
    assertThat(names.stream().map(ClusterPoolOnServerTest::cidrs)).doesNotHaveDuplicates();
    assertThat(program.stop().exitCode()).isZero();
  }

  @Test
  @Order(4)
  @DisplayName("NC-B23 NC-AM18 a first leader holds if the Cilium operator assigned CIDRs before")
  void takeOver() throws Exception {
    nodes.clear();
    create("old", "");
    create("new", "");
    NodeResource assigned =
        nodes.writeSpecAs(
            "cilium-operator-generic", nodes.node("old").withPodCidrs(List.of("10.0.0.0/24")));
    nodes.writeSpecAs("cilium-agent", assigned.withPreAllocate(8));
    Result held = onNewLease("status ", "--node-cidr-takeover-hold=1h");
    assertThat(held.out()).as(held.err()).contains("2 nodes: 1 assigned");
    Program program = Program.start(newLease("run ", "--node-cidr-takeover-hold=1h", "--port=0"));
    program.awaitErr("This operator leads");
    Eventually.holds("new waits for the hold", () -> errorOf("new").contains("[TM-1410]"));
    create("late", "");
    Eventually.holds("late waits as well", () -> errorOf("late").contains("[TM-1410]"));
    nodes.writeSpecAs(
        "cilium-operator-generic", nodes.node("late").withPodCidrs(List.of("10.0.1.0/24")));
    create("later", "");
    Eventually.holds("a second allocator", () -> errorOf("later").contains("[TM-1408]"));
    assertThat(cidrs("new") + cidrs("later")).isEmpty();
    assertThat(program.stop().exitCode()).isZero();

    nodes.clear();
    create("first", "");
    onNewLease("run ", "--node-cidr-takeover-hold=1h", "--once").ends(0);
    create("second", "");
    onNewLease("run ", "--node-cidr-takeover-hold=1h", "--once").ends(0);
    assertThat(cidrs("second")).isEqualTo("10.0.1.0/24");
  }

  /** A lease that nobody has held: only the objects show what was assigned before. */
  private static String[] newLease(String... words) {
    server.admin().client().leases().inNamespace("default").withName("tidemark-operator").delete();
    return Program.arguments(
        words[0]
            + "--ipam=cluster-pool --cluster-pool-ipv4-cidr=10.0.0.0/21 "
            + String.join(" ", List.of(words).subList(1, words.length)),
        "--kubeconfig=" + kubeconfig);
  }

  private static Result onNewLease(String... words) {
    return Program.run(newLease(words));
  }

  @Test
  @Order(5)
  @DisplayName("NC-P12 objects whose nodes are gone are deleted, and their blocks serve who waits")
  void stale() throws Exception {
    nodes.clear();
    create("gone", "\"podCIDRs\":[\"10.0.0.0/24\"]");
    server
        .admin()
        .client()
        .raw(
            "/api/v1/nodes",
            "POST",
            "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"keep\"}}");
    create("keep", "");
    Program program =
        Program.start(
            Program.arguments(
                "run --ipam=cluster-pool --cluster-pool-ipv4-cidr=10.0.0.0/24"
                    + " --nodes-gc-interval=10s --node-cidr-cool-down=1s"
                    + " --node-cidr-takeover-hold=1s --port=0",
                "--kubeconfig=" + kubeconfig));
    Eventually.holds("keep has the block", () -> cidrs("keep").equals("10.0.0.0/24"));
    assertThat(nodes.all()).singleElement().matches(node -> node.name().equals("keep"));
    Eventually.holds("no error", () -> errorOf("keep").isEmpty());
    assertThat(program.stop().exitCode()).isZero();
  }
}
