package io.tidemark.kubernetes.gc;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.fabric8.mockwebserver.http.MockResponse;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.LogRecord;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("CiliumNodes are deleted only when the server itself says that their Node is gone")
class StaleNodesTest {
  private static final Duration ROUND = Duration.ofMinutes(5);
  private static final String NODES = "/api/v1/nodes";

  @RegisterExtension private final LogRecord log = new LogRecord();
  @RegisterExtension private final MockCluster cluster = MockCluster.start();

  private final ClusterConnection connection = cluster.connection();
  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private final List<String> notices = new ArrayList<>();
  private boolean leads = true;

  private final CiliumNodes objects = new CiliumNodes(connection);
  private Optional<KubernetesNodeResourceStore> store = Optional.empty();
  private Optional<ClusterNodes> nodes = Optional.empty();
  private Optional<StaleNodes> collector = Optional.empty();

  @AfterEach
  void close() {
    collector.ifPresent(StaleNodes::close);
    nodes.ifPresent(ClusterNodes::close);
    store.ifPresent(KubernetesNodeResourceStore::close);
  }

  private void create(String... names) {
    for (String name : names) {
      objects.create(NodeResource.named(name).withInstanceId("i-" + name));
    }
  }

  private static boolean asks(Asked asked, String verb, String path) {
    return asked.verb().equals(verb) && asked.path().equals(path);
  }

  private static boolean watches(String path, Asked asked) {
    return asked.path().startsWith(path + "?") && asked.path().contains("watch=true");
  }

  private void refuseWatchesOf(String path) {
    cluster.answerEach(
        asked -> watches(path, asked), MockCluster.status(403, "Forbidden", "cannot watch"));
  }

  private Optional<String> trouble() {
    return store.orElseThrow().trouble().or(nodes.orElseThrow()::trouble);
  }

  private void answerNode(String name, MockResponse answer) {
    cluster.answerEach(asked -> asks(asked, "GET", NODES + "/" + name), answer);
  }

  private static MockResponse absent(String name) {
    return MockCluster.notFound("nodes", name);
  }

  private static MockResponse present(String name) {
    return MockCluster.json(
        """
            {"apiVersion":"v1","kind":"Node",
             "metadata":{"name":"NAME","uid":"u-NAME","resourceVersion":"900"}}
            """
            .replace("NAME", name));
  }

  /** Both watches have listed what there is, and one round was made. */
  private void open() {
    KubernetesNodeResourceStore opened =
        KubernetesNodeResourceStore.open(connection, time, Runnable::run);
    ClusterNodes watched = ClusterNodes.watch(connection, time, Runnable::run, name -> {});
    store = Optional.of(opened);
    nodes = Optional.of(watched);
    Eventually.holds("all is listed", () -> opened.hasListed() && watched.hasListed());
    collector =
        Optional.of(
            StaleNodes.start(
                connection,
                opened,
                watched,
                ROUND,
                time,
                time.effects((site, limit) -> EffectFate.answered(Duration.ZERO, Duration.ZERO)),
                () -> leads,
                (code, detail) -> notices.add(code + ": " + detail)));
    rounds(1);
  }

  private void rounds(int count) {
    time.runUntil(time.nanos() + ROUND.toNanos() * count);
  }

  private long asked(String name) {
    return cluster.requests("GET").stream()
        .filter(asked -> asks(asked, "GET", NODES + "/" + name))
        .count();
  }

  private List<String> deleted() {
    return cluster.requests("DELETE").stream().map(Asked::path).toList();
  }

  @Test
  @DisplayName("the second round asks for the Node, and deletes the version that was checked")
  void gone() {
    create("n1");
    answerNode("n1", absent("n1"));
    open();
    assertThat(asked("n1")).isZero();
    String version = objects.node("n1").resourceVersion();
    rounds(1);
    assertThat(asked("n1")).isEqualTo(1);
    assertThat(cluster.requests("DELETE"))
        .singleElement()
        .satisfies(
            it ->
                assertThat(it.body())
                    .contains("\"resourceVersion\":\"" + version + "\"")
                    .contains("\"uid\":"));
    assertThat(objects.all()).isEmpty();
  }

  @Test
  @DisplayName("a Node that the server has is kept, although the watch does not show it")
  void unseen() {
    create("n1");
    answerNode("n1", present("n1"));
    open();
    rounds(3);
    assertThat(asked("n1")).isPositive();
    assertThat(deleted()).isEmpty();
    assertThat(log.messages(Level.WARN))
        .contains(
            "A CiliumNode is kept: its Kubernetes Node exists, although the watch does not show"
                + " it. node=n1");
  }

  @Test
  @DisplayName("nothing is deleted while the Node cannot be read")
  void unread() {
    create("n1");
    answerNode("n1", MockCluster.status(403, "Forbidden", "nodes \"n1\" is forbidden"));
    open();
    rounds(3);
    assertThat(deleted()).isEmpty();
    assertThat(log.messages(Level.WARN)).anyMatch(line -> line.contains("cannot be read. node=n1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {NODES, CiliumNodes.PATH})
  @DisplayName("no round is made while a watch is refused")
  void interrupted(String path) {
    create("n1");
    answerNode("n1", absent("n1"));
    refuseWatchesOf(path);
    open();
    Eventually.holds("the refusal is known", () -> trouble().isPresent());
    rounds(5);
    assertThat(asked("n1")).isZero();
    assertThat(deleted()).isEmpty();
    assertThat(log.messages(Level.WARN))
        .filteredOn(line -> line.contains("are not searched for"))
        .hasSize(1);
  }

  @Test
  @DisplayName("an object with an owner is left to the garbage collection of Kubernetes")
  void owned() {
    objects.create(
        """
        {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"n1","ownerReferences":
         [{"apiVersion":"v1","kind":"Node","name":"n1","uid":"u-n1"}]},"spec":{},"status":{}}
        """);
    answerNode("n1", absent("n1"));
    open();
    rounds(3);
    assertThat(asked("n1")).isZero();
    assertThat(deleted()).isEmpty();
  }

  @Test
  @DisplayName("of many at once one round deletes a share, and reports TM-1106")
  void many() {
    create("n1", "n2", "n3");
    for (String name : List.of("n1", "n2", "n3")) {
      answerNode(name, absent(name));
    }
    open();
    rounds(1);
    assertThat(deleted()).containsExactly(CiliumNodes.PATH + "/n1");
    assertThat(notices)
        .containsExactly(
            "NODES_MISSING: 3 of 3 CiliumNodes have no Kubernetes Node; 1 are deleted now, the"
                + " others in later rounds");
  }

  @Test
  @DisplayName("nothing is deleted without the lease")
  void fenced() {
    create("n1");
    answerNode("n1", absent("n1"));
    leads = false;
    open();
    rounds(3);
    assertThat(deleted()).isEmpty();
  }
}
