package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.mockwebserver.http.MockResponse;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.operator.Program.Result;
import io.tidemark.testing.Hang;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("kubectl tidemark")
class KubectlTest {
  private static final String LABEL = "tidemark-operator";
  private static final String ASKED = "/pods/POD:9973/proxy/status";

  private final MockCluster mock = MockCluster.start();
  private final Manifests manifests;
  private final Path directory;
  private ClusterConnection cluster;

  KubectlTest(@TempDir Path directory, @TempDir Path nodes) {
    this.directory = directory;
    this.manifests = new Manifests(nodes);
  }

  @BeforeEach
  void start() throws Exception {
    cluster = mock.connect(directory);
  }

  @AfterEach
  void stop() {
    cluster.close();
    mock.close();
  }

  /** The imitation of an API server understands no sets of values in selectors, so one is given. */
  private Result kubectl(String words, String... more) {
    return Program.run(
        Program.arguments(
            "kubectl "
                + words
                + (words.contains("-timeout=") ? "" : " --request-timeout=2m")
                + (words.contains(" -l") ? "" : " -l app.kubernetes.io/name=" + LABEL),
            "--kubeconfig=" + directory.resolve("kubeconfig"),
            more));
  }

  private void pod(String name, String host) {
    KubectlWorld.pod(cluster.client(), name, host, "10.0.0.1", 9973, LABEL);
  }

  private void lease(String host, int secondsAgo) {
    cluster.client().resource(KubectlWorld.lease(LABEL, host, secondsAgo)).create();
  }

  private void answers(String pod, MockResponse answer) {
    mock.answerOnce(asked -> asked.path().endsWith(ASKED.replace("POD", pod)), answer);
  }

  private void answers(String pod, String status) {
    answers(pod, MockCluster.json(status));
  }

  private void nodes() {
    String made =
        """
        {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"worker-a"},
         "spec":{"ipam":{"pool":{"10.0.0.5":{},"10.0.0.6":{}}}},
         "status":{"ipam":{"used":{"10.0.0.5":{"owner":"default/web"}},
          "operator-status":{"error":"TM-1206 NO_INSTANCE_ID: none"}}}}
        """;
    CiliumNodes nodes = new CiliumNodes(cluster);
    nodes.create(made);
    cluster.client().raw(CiliumNodes.PATH + "/worker-a/status", "PUT", made);
  }

  /** The answer of an operator at work at /status. */
  private String status() throws Exception {
    manifests
        .with("a.yaml", Manifests.fresh("worker-a"))
        .with(
            "c.yaml",
            Manifests.fresh("worker-c").replaceAll("instance-id: .*", "instance-id: \"\""));
    Program running = manifests.start("run --provider=mock --port=0 --log-level=info");
    running.awaitErr("node=worker-a state=ok");
    String status = running.ask("/status").body();
    assertThat(running.stop().exitCode()).isZero();
    return status;
  }

  @Test
  @DisplayName("KC-1 prints the tables of the leader, and says on the standard error who answered")
  void leader() throws Exception {
    String status = status();
    pod("op-1", "host-1");
    pod("op-2", "host-2.example.org");
    lease("host-2", 3);
    for (int i = 0; i < 6; i++) {
      answers("op-2", status);
    }

    int made = mock.requests().size() - mock.requests("GET").size();

    Result text = kubectl("status");
    Result own = manifests.run("status --provider=mock");
    JsonNode json = Reports.status(kubectl("status --output=json"));
    Result explain = kubectl("explain worker-a");
    Result ownExplain = manifests.run("explain --provider=mock worker-a");
    JsonNode explained = Reports.explanation(kubectl("explain worker-c --output=json"));
    Result doctor = kubectl("doctor").ends(3);
    JsonNode findings = Reports.findings(kubectl("doctor -o json"));

    assertThat(text.out()).isEqualTo(own.out()).contains("worker-c: TM-1206 NO_INSTANCE_ID: ");
    assertThat(text.exitCode()).isEqualTo(own.exitCode()).isEqualTo(3);
    assertThat(text.err())
        .containsPattern(
            "\\Atidemark: from the leader kube-system/op-2, lease renewed [0-9]+ s ago\n\\z");
    assertThat(json.at("/source/from").asText()).isEqualTo("leader");
    assertThat(json.at("/source/pod").asText()).isEqualTo("kube-system/op-2");
    assertThat(json.at("/nodes/0/numbers").isEmpty()).isFalse();
    assertThat(explain.out()).isEqualTo(ownExplain.out()).contains("plan: idle");
    assertThat(explained.path("reason").asText()).isEqualTo("TM-1206");
    assertThat(explained.at("/source/leaseRenewedSecondsAgo").asInt()).isGreaterThanOrEqualTo(3);
    assertThat(doctor.out())
        .contains("lease kube-system/tidemark-operator")
        .contains("leader kube-system/op-2", "readiness", "TM-1206 NO_INSTANCE_ID")
        .contains("1 node: worker-c", "permissions and quotas of mock");
    assertThat(findings.at("/provider").asText()).isEqualTo("mock");
    assertThat(mock.requests())
        .extracting(MockCluster.Asked::verb)
        .containsOnly("GET", "POST", "PUT");
    assertThat(mock.requests())
        .as("the objects of the test")
        .filteredOn(it -> !it.verb().equals("GET"))
        .hasSize(made);
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          403 | Forbidden          | cannot get resource pods/proxy       | Pod kube-system/op-1 cannot be asked: cannot get resource pods/proxy
          503 | ServiceUnavailable | dial tcp 10.0.0.1:9973: refused      | dial tcp 10.0.0.1:9973: refused
          502 | page               | of a gateway                         | Pod kube-system/op-1 cannot be asked:
          200 | text               | <html>hello                          | Pod kube-system/op-1 answers with no status
          200 | text               | [1, {"summary": 3}]                  | Pod kube-system/op-1 answers with no status
          200 | text               | {"summary":{"leading":"standby"}}    | Pod kube-system/op-1 is on standby
          """)
  @DisplayName("KC-2 reads the objects where the leader gives no answer, and says why in one line")
  void noAnswer(int code, String reason, String body, String why) {
    nodes();
    pod("op-1", "host-1");
    lease("host-1", 1);
    answers(
        "op-1",
        switch (reason) {
          case "page" -> MockCluster.page(code);
          case "text" -> MockCluster.json(body);
          default -> MockCluster.status(code, reason, body);
        });

    readsObjects(kubectl("status"), why);
  }

  @Test
  @DisplayName("KC-2 reads the objects where the leader's answer does not come in time")
  void tooSlow() {
    nodes();
    pod("op-1", "host-1");
    lease("host-1", 1);
    Result text = slow(1);
    for (int seconds = 2; text.exitCode() != 0 && seconds <= Hang.SECONDS; seconds *= 2) {
      text = slow(seconds); // a machine that is slow to read the objects, too
    }

    readsObjects(text, "Pod kube-system/op-1 cannot be asked: ");
  }

  private Result slow(int timeoutSeconds) {
    answers(
        "op-1",
        new MockResponse()
            .setResponseCode(200)
            .setBody("{\"summary\":{\"leading\":\"leader\"}}")
            .setBodyDelay(Duration.ofMinutes(10)));
    return kubectl("status --request-timeout=" + timeoutSeconds + "s");
  }

  private static void readsObjects(Result text, String why) {
    assertThat(text.exitCode()).as(text.err()).isZero();
    assertThat(text.out())
        .startsWith("1 nodes: 1 unknown\n")
        .contains("worker-a     1          2  unknown");
    assertThat(text.err())
        .startsWith("tidemark: no operator answers, so the objects are read: ")
        .contains(why);
    assertThat(text.err().lines()).hasSize(1);
  }

  @Test
  @DisplayName("KC-3 without an operator prints what the objects show, in every form")
  void noOperator() {
    nodes();

    JsonNode json = Reports.status(kubectl("status --output=json"));
    Result explain = kubectl("explain worker-a").ends(0);
    JsonNode explained = Reports.explanation(kubectl("explain worker-a --output=json"));
    Result doctor = kubectl("doctor").ends(3);
    Result unknown = kubectl("explain worker-b").ends(2);

    assertThat(json.at("/source/reason").asText())
        .isEqualTo("no Pod of an operator runs in namespace kube-system");
    assertThat(json.at("/nodes/0/detail").asText()).startsWith("TM-1206");
    assertThat(explain.out()).startsWith("node worker-a is unknown\n").contains("available  2");
    assertThat(explained.at("/source/from").asText()).isEqualTo("cluster");
    assertThat(doctor.out()).contains("no Pod of an operator runs").contains("1 nodes");
    assertThat(unknown.err()).contains("there is no node 'worker-b' in the cluster; the nearest");
  }

  @Test
  @DisplayName(
      "KC-4 asks each Pod in turn until one is the leader, even if the lease names another Pod")
  void takenOver() {
    pod("op-1", "host-1");
    pod("op-2", "host-2");
    lease("host-1", 7200);
    answers("op-1", "{\"summary\":{\"leading\":\"standby\"}}");
    answers("op-2", "{\"summary\":{\"leading\":\"leader\",\"nodes\":0},\"new\":true}");

    Result text = kubectl("status --output=json").ends(0);

    assertThat(Reports.tree(text).path("new").asBoolean()).as("fields of another version").isTrue();
    assertThat(Reports.tree(text).at("/source/pod").asText()).isEqualTo("kube-system/op-2");
    assertThat(Reports.tree(text).at("/source/leaseRenewedSecondsAgo").isNull()).isTrue();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "'', op-b",
    "--lease=tidemark-operator, op-b",
    "--lease=tidemark-node-cidr, op-a",
    "--lease=tidemark-node-id, ''"
  })
  @DisplayName("KC-4 of two modes on one host, the leader of the chosen lease answers")
  void modes(String option, String pod) {
    nodes();
    pod("op-a", "host-1");
    pod("op-b", "host-1");
    for (String name : List.of("tidemark-node-cidr", "tidemark-operator")) {
      cluster.client().resource(KubectlWorld.lease(name, "host-1", 1)).create();
    }
    answers(
        "op-a",
        "{\"summary\":{\"leading\":\"leader\",\"lease\":\"tidemark-node-cidr\",\"nodes\":0}}");
    answers(
        "op-b",
        "{\"summary\":{\"leading\":\"alone\",\"lease\":\"tidemark-operator\",\"nodes\":0}}");

    assertThat(kubectl(("status " + option).strip()).err())
        .contains(
            pod.isEmpty()
                ? "no operator answers, so the objects are read: Pod kube-system/op-a uses the lease"
                    + " tidemark-node-cidr; Pod kube-system/op-b uses the lease tidemark-operator"
                : "from the leader kube-system/" + pod + ", lease renewed ");
  }

  @Test
  @DisplayName("a lease whose holder has no time of renewal is held by nobody")
  void neverRenewed() {
    nodes();
    Lease lease = KubectlWorld.lease(LABEL, "host-1", 0);
    lease.getSpec().setRenewTime(null);
    cluster.client().resource(lease).create();

    assertThat(kubectl("doctor").out())
        .containsPattern("lease kube-system/tidemark-operator.*nobody holds it");
  }

  @Test
  @DisplayName("KC-4 a code of a newer operator is printed with the remedy that it sent")
  void newerCode() {
    pod("op-1", "host-1");
    answers(
        "op-1",
        """
        {"summary":{"leading":"alone","nodes":1,"states":{"blocked":1}},
         "nodes":[{"name":"n","used":1,"state":"blocked","reason":"TM-1299","detail":"why",
          "plan":"none","advice":"Do this"}]}
        """);

    assertThat(kubectl("status").out()).contains("n: TM-1299 (of another version): why. Do this");
  }

  @Test
  @DisplayName(
      "KC-1 doctor names the groups whose nodes take more pods than they can have addresses")
  void maxPods() {
    pod("op-1", "host-1");
    answers(
        "op-1",
        """
        {"summary":{"leading":"alone","nodes":1},
         "nodes":[{"name":"n","used":1,"state":"ok","reason":null,"maxPods":110,"podCapacity":27,
          "podsWithoutAddress":81,"group":"m5.large/web","prefixes":false}]}
        """);

    assertThat(kubectl("doctor").ends(0).out())
        .contains("nodes of m5.large/web", "addresses for 27: up to 81", "at most 29, let");
  }

  @Test
  @DisplayName(
      "KC-5 names of the namespace, the Pods and the lease are taken from the command line")
  void names() {
    assertThat(kubectl("status -n elsewhere -l app=x --lease=tidemark-node-id").err())
        .contains("no Pod of an operator runs in namespace elsewhere");
    List<String> paths = mock.requests().stream().map(MockCluster.Asked::path).toList();
    assertThat(paths)
        .anyMatch(path -> path.endsWith("/namespaces/elsewhere/leases/tidemark-node-id"))
        .anyMatch(path -> path.contains("/namespaces/elsewhere/pods?labelSelector=app%3Dx"))
        .noneMatch(path -> path.contains("/leases/tidemark-operator"));
  }

  @Test
  @DisplayName("KC-5 a cluster that cannot be read at all is a failure of the configuration")
  void nothing() throws Exception {
    mock.answerAll(java.util.Optional.of(MockCluster.status(403, "Forbidden", "no")));
    Result text = kubectl("status").ends(2);
    Path kubeconfig = directory.resolve("kubeconfig");
    Files.writeString(
        kubeconfig,
        Files.readString(kubeconfig).replaceFirst("127\\.0\\.0\\.1:\\d+", "127.0.0.1:1"));
    Result dead = kubectl("status").ends(2);
    Files.delete(kubeconfig);
    Result without = kubectl("status").ends(2);

    assertThat(text.err()).contains("TM-1025 CLUSTER_ACCESS: the nodes cannot be listed: no");
    assertThat(text.out()).isEmpty();
    assertThat(dead.err().lines().toList().get(0)).containsOnlyOnce("does not answer");
    assertThat(without.err()).contains("cannot be read");
  }
}
