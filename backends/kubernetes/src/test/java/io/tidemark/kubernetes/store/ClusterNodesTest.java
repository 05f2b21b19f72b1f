package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.mockwebserver.http.MockResponse;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.cluster.ClusterNodeStoreContract.Told;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.spi.BlockedReason;
import io.tidemark.testing.Hang;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Kubernetes Nodes behind an API server (node-cidr 17.2 AM14, AM15)")
class ClusterNodesTest {
  private static final String PATH = "/api/v1/nodes";
  private static final List<Cidr> CIDRS =
      List.of(Cidr.parse("10.244.3.0/24"), Cidr.parse("2001:db8::/80"));

  @RegisterExtension private final MockCluster cluster = MockCluster.start();

  private final ClusterConnection connection = cluster.connection();
  private final Queue<String> changed = new ConcurrentLinkedQueue<>();
  private final VirtualTime time =
      new VirtualTime(Instant.parse("2026-01-02T03:04:05.678Z").toEpochMilli());

  @AutoClose
  private final ClusterNodes nodes =
      ClusterNodes.watch(connection, time, Runnable::run, changed::add);

  @BeforeEach
  void open() throws Exception {
    Eventually.holds("the nodes are listed", () -> nodes.exists("any").isPresent());
  }

  private static String node(String more) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\",\"uid\":\"u-1\","
        + "\"resourceVersion\":\"900\"}"
        + more
        + "}";
  }

  private static boolean isPatch(Asked asked) {
    return asked.verb().equals("PATCH");
  }

  private Asked lastPatch() {
    List<Asked> all = cluster.requests("PATCH");
    return all.get(all.size() - 1);
  }

  private void answer(MockResponse answer) {
    cluster.answerOnce(ClusterNodesTest::isPatch, answer);
  }

  @Test
  @DisplayName(
      "CIDRs are assigned by one merge patch that names the uid and bounds the server's work")
  void assign() {
    answer(MockCluster.json(node(",\"spec\":{\"podCIDR\":\"x\"}")));
    NodeChange end = nodes.assignPodCidrs("n1", "u-1", CIDRS);
    assertThat(end).isInstanceOf(NodeChange.Accepted.class);
    assertThat(nodes.latest("n1").map(node -> node.podCidrs().texts())).contains(List.of("x"));
    assertThat(cluster.requests("PATCH")).hasSize(1);
    assertThat(lastPatch().path())
        .isEqualTo(PATH + "/n1?fieldManager=tidemark-operator&timeout=" + Hang.SECONDS + "s");
    assertThat(lastPatch().type()).isEqualTo("application/merge-patch+json");
    assertThat(lastPatch().body())
        .isEqualTo(
            "{\"metadata\":{\"uid\":\"u-1\"},\"spec\":{\"podCIDR\":\"10.244.3.0/24\","
                + "\"podCIDRs\":[\"10.244.3.0/24\",\"2001:db8::/80\"]}}");
    assertThatThrownBy(() -> nodes.assignPodCidrs("n1", "", CIDRS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no uid");
  }

  @Test
  @DisplayName("annotations are added by one merge patch that names the uid and the version")
  void annotate() {
    ClusterNode seen = ClusterNode.named("n1", "u-1").withVersion("899");
    answer(MockCluster.json(node("")));
    NodeChange end = nodes.annotate(seen, Map.of("tidemark.io/node-id", "5"));
    assertThat(end).isInstanceOf(NodeChange.Accepted.class);
    assertThat(lastPatch().path())
        .isEqualTo(PATH + "/n1?fieldManager=tidemark-operator&timeout=" + Hang.SECONDS + "s");
    assertThat(lastPatch().type()).isEqualTo("application/merge-patch+json");
    assertThat(lastPatch().body())
        .isEqualTo(
            "{\"metadata\":{\"uid\":\"u-1\",\"resourceVersion\":\"899\","
                + "\"annotations\":{\"tidemark.io/node-id\":\"5\"}}}");
    answer(status(409, "Conflict", "{}"));
    assertThat(nodes.annotate(seen, Map.of("tidemark.io/node-id", "5")))
        .isInstanceOf(NodeChange.AskedToWait.class);
  }

  @Test
  @DisplayName(
      "a taint is patched on the version that was seen, and those of others are as they were")
  void taint() {
    String theirs =
        "{\"key\":\"other\",\"effect\":\"NoExecute\",\"timeAdded\":\"t\",\"new\":{\"a\":[1]}}";
    String ours = "{\"key\":\"tidemark.io/no-pod-addresses\",\"effect\":\"NoSchedule\"}";
    answer(MockCluster.json(node(",\"spec\":{\"taints\":[" + theirs + "]}")));
    nodes.taint(ClusterNode.named("n1", "u-1").withVersion("899"), true);
    assertThat(lastPatch().body())
        .isEqualTo(
            "{\"metadata\":{\"uid\":\"u-1\",\"resourceVersion\":\"899\"},\"spec\":{\"taints\":["
                + ours
                + "]}}");
    answer(
        MockCluster.json(
            node(",\"spec\":{\"taints\":[" + theirs + "," + ours + "]}").replace("900", "901")));
    nodes.taint(nodes.latest("n1").orElseThrow(), true);
    assertThat(lastPatch().body())
        .contains("\"resourceVersion\":\"900\"", "[" + theirs + "," + ours + "]");
    assertThat(nodes.tainted()).containsExactly("n1");
    answer(MockCluster.json(node("").replace("900", "902")));
    nodes.taint(nodes.latest("n1").orElseThrow(), false);
    assertThat(lastPatch().body()).contains("\"taints\":[" + theirs + "]}");
    assertThat(nodes.tainted()).isEmpty();
    answer(status(409, "Conflict", "{}"));
    assertThat(nodes.taint(nodes.latest("n1").orElseThrow(), true))
        .isInstanceOf(NodeChange.AskedToWait.class);
  }

  @Test
  @DisplayName(
      "the condition of addresses has code and remedy, and its time where its status changes")
  void podAddresses() {
    NodeProblem why = new NodeProblem(BlockedReason.SUBNET_EXHAUSTED, "subnet-1 is full");
    answer(
        MockCluster.json(
            node(
                ",\"status\":{\"conditions\":[{\"type\":\"PodAddressesAvailable\","
                    + "\"status\":\"False\",\"reason\":\"NoSubnet\"}]}")));
    nodes.podAddresses(ClusterNode.named("n1", "u-1"), Optional.of(why));
    assertThat(lastPatch().path()).startsWith(PATH + "/n1/status");
    assertThat(lastPatch().body())
        .contains("\"type\":\"PodAddressesAvailable\",\"status\":\"False\"")
        .contains("\"reason\":\"SubnetExhausted\"")
        .contains("TM-1203 SUBNET_EXHAUSTED: subnet-1 is full. Free addresses in the subnet")
        .contains("\"lastTransitionTime\":\"2026-01-02T03:04:05Z\"");
    assertThat(nodes.latest("n1").flatMap(node -> node.scheduling().unavailableReason()))
        .contains("NoSubnet");
    answer(MockCluster.json(node("").replace("900", "901")));
    ClusterNode missing = nodes.latest("n1").orElseThrow();
    nodes.podAddresses(missing, Optional.of(why));
    assertThat(lastPatch().body())
        .contains("\"lastHeartbeatTime\":\"2026-01-02T03:04:05Z\"")
        .doesNotContain("lastTransitionTime");
    answer(MockCluster.json(node("").replace("900", "902")));
    nodes.podAddresses(missing, Optional.empty());
    assertThat(lastPatch().body()).contains("\"status\":\"True\"", "lastTransitionTime");
  }

  @Test
  @DisplayName("the condition is patched by its type, so that those of others stay")
  void networkAvailable() {
    answer(
        MockCluster.json(
            node(
                ",\"status\":{\"conditions\":[{\"type\":\"NetworkUnavailable\","
                    + "\"status\":\"False\"}]}")));
    assertThat(nodes.networkAvailable("n1", "u-1")).isInstanceOf(NodeChange.Accepted.class);
    assertThat(nodes.latest("n1").flatMap(ClusterNode::networkUnavailable)).contains(false);
    assertThat(lastPatch().path())
        .isEqualTo(
            PATH + "/n1/status?fieldManager=tidemark-operator&timeout=" + Hang.SECONDS + "s");
    assertThat(lastPatch().type()).isEqualTo("application/strategic-merge-patch+json");
    assertThat(lastPatch().body())
        .contains("\"uid\":\"u-1\"", "\"type\":\"NetworkUnavailable\",\"status\":\"False\"")
        .contains("\"lastTransitionTime\":\"2026-01-02T03:04:05Z\"");
  }

  private static MockResponse status(int code, String reason, String details) {
    return reason.equals("page")
        ? MockCluster.page(code)
        : MockCluster.status(code, reason, "words of the server", details);
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @DisplayName("how a change ended follows from the server's answer, and from nothing else")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # an invalid field, and the reason
          404 | NotFound        | {"name":"n1","kind":"nodes"}                                | Gone
          404 | page            | {}                                                          | Unknown
          422 | Invalid         | metadata.uid FieldValueInvalid                              | Gone
          422 | Invalid         | metadata.uid FieldValueInvalid spec.podCIDRs FieldValueForbidden | Gone
          422 | Invalid         | spec.podCIDRs FieldValueForbidden                           | Occupied
          422 | Invalid         | spec.podCIDRs[0] FieldValueInvalid                          | Refused
          422 | Invalid         | spec.podCIDRs FieldValueInvalid                             | Refused
          403 | Forbidden       | {}                                                          | Refused
          400 | BadRequest      | {}                                                          | Refused
          409 | Conflict        | {}                                                          | AskedToWait
          429 | TooManyRequests | {}                                                          | AskedToWait
          408 | page            | {}                                                          | Unknown
          500 | InternalError   | {}                                                          | Unknown
          502 | page            | {}                                                          | Unknown
          504 | Timeout         | {}                                                          | Unknown
          200 | page            | {}                                                          | Unknown
          """)
  void ended(int code, String reason, String details, String end) {
    String causes =
        details.replaceAll(
            "(\\S+) (\\w+) ?", "{\"field\":\"$1\",\"reason\":\"$2\",\"message\":\"why\"},");
    answer(
        status(
            code,
            reason,
            reason.equals("Invalid")
                ? "{\"name\":\"n1\",\"kind\":\"Node\",\"causes\":[%s]}"
                    .formatted(causes.substring(0, causes.length() - 1))
                : details));
    assertThat(nodes.assignPodCidrs("n1", "u-1", CIDRS).getClass().getSimpleName()).isEqualTo(end);
    assertThat(cluster.requests("PATCH")).hasSize(1);
    assertThat(nodes.latest("n1")).isEmpty();
  }

  @Test
  @DisplayName("a change whose answer does not come in time is unknown, and is one request")
  void late() throws Exception {
    answer(MockCluster.json(node("")).setBodyDelay(10, TimeUnit.MINUTES));
    try (ClusterConnection hasty = cluster.connect(Duration.ofMillis(200));
        ClusterNodes late = ClusterNodes.watch(hasty, time, Runnable::run, name -> {})) {
      assertThat(late.assignPodCidrs("n1", "u-1", CIDRS)).isInstanceOf(NodeChange.Unknown.class);
    }
    assertThat(cluster.requests("PATCH")).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  @DisplayName("refused credentials, also after they were read again, are waited for")
  void unauthorized() {
    answer(status(401, "Unauthorized", "{}"));
    answer(status(401, "Unauthorized", "{}"));
    assertThat(nodes.assignPodCidrs("n1", "u-1", CIDRS)).isInstanceOf(NodeChange.AskedToWait.class);
  }

  @Test
  @DisplayName("a server that cannot be reached leaves a change unknown, and fails a read")
  void unreachable() {
    cluster.shutDown();
    assertThat(nodes.assignPodCidrs("n1", "u-1", CIDRS)).isInstanceOf(NodeChange.Unknown.class);
    assertThat(nodes.get("n1")).isInstanceOf(Reading.Failed.class);
  }

  @Test
  @DisplayName("a read is absent only by the server's own word")
  void absent() {
    cluster.answerOnce(
        asked -> asked.path().equals(PATH + "/n1"),
        status(404, "NotFound", "{\"name\":\"n1\",\"kind\":\"nodes\"}"));
    assertThat(nodes.get("n1")).isEqualTo(new Reading.Absent());
    cluster.answerOnce(asked -> asked.path().equals(PATH + "/n1"), MockCluster.page(404));
    assertThat(nodes.get("n1")).isInstanceOf(Reading.Failed.class);
  }

  @Test
  @DisplayName("without the lease nothing is sent")
  void fenced() {
    nodes.leads(() -> false);
    assertThat(nodes.assignPodCidrs("n1", "u-1", CIDRS)).isInstanceOf(NodeChange.AskedToWait.class);
    assertThat(nodes.networkAvailable("n1", "u-1")).isInstanceOf(NodeChange.AskedToWait.class);
    assertThat(nodes.annotate(ClusterNode.named("n1", "u-1"), Map.of()))
        .isInstanceOf(NodeChange.AskedToWait.class);
    assertThat(cluster.requests("PATCH")).isEmpty();
  }

  private void create(String name, String spec, String status) {
    String text =
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\"},\"spec\":%s,\"status\":%s}"
            .formatted(name, spec, status);
    connection.client().raw(PATH, "POST", text);
  }

  private void edit(String name, Consumer<Node> change) {
    connection
        .client()
        .nodes()
        .withName(name)
        .edit(
            node -> {
              change.accept(node);
              return node;
            });
  }

  @Test
  @DisplayName("one watch serves demand and CIDRs; a heartbeat is told to nobody")
  void watch() {
    create("n1", "{\"unschedulable\":true}", "{\"allocatable\":{\"pods\":\"110\"}}");
    create("n2", "{}", "{}");
    for (String name : List.of("n1", "n2")) {
      Eventually.holds(name + " is known", () -> nodes.exists(name).equals(Optional.of(true)));
    }
    assertThat(nodes.exists("n3")).contains(false);
    assertThat(nodes.isClosed("n1")).isTrue();
    assertThat(nodes.isClosed("n2")).isFalse();
    assertThat(nodes.maxPods("n1")).hasValue(110);
    assertThat(nodes.maxPods("n2")).isEqualTo(OptionalInt.empty());
    assertThat(changed).containsExactlyInAnyOrder("n1", "n2");

    Told told = new Told();
    Watch watch = nodes.watch(told);
    assertThat(told.log()).containsExactlyInAnyOrder("upserted n1 []", "upserted n2 []", "synced");
    edit("n1", node -> node.getMetadata().setLabels(Map.of("beat", "1")));
    edit("n2", node -> node.getSpec().setPodCIDRs(List.of("10.244.3.0/24")));
    Eventually.holds("n2 has CIDRs", () -> told.log().size() == 4);
    connection.client().raw(PATH + "/n1", "DELETE", null);
    Eventually.holds("n1 is gone", () -> told.log().size() == 5);
    assertThat(told.log().subList(3, 5))
        .containsExactly("upserted n2 [10.244.3.0/24]", "deleted n1");
    assertThat(List.copyOf(changed).subList(2, 4)).containsExactly("n2", "n1");
    assertThat(nodes.names()).containsExactly("n2");
    watch.close();
  }
}
