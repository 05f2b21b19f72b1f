package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.fabric8.mockwebserver.http.MockResponse;
import io.tidemark.ip.IpAddress;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.LogRecord;
import io.tidemark.kubernetes.WatchPace;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.kubernetes.store.StoreWorld.Told;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.StoreResult;
import io.tidemark.resource.StoreResult.Effect;
import io.tidemark.testing.Hang;
import io.tidemark.testing.Samples;
import io.tidemark.time.SystemTime;
import io.tidemark.time.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName(
    "CiliumNodes behind an API server that answers as one seldom does (node-manager 1.1, 6)")
class ServerFaultsTest {
  private static final String SECRET = "secret";

  private static final WatchPace OFTEN =
      new WatchPace(
          WatchPace.USUAL.sockets(),
          Duration.ofMillis(20),
          WatchPace.USUAL.silence(),
          WatchPace.USUAL.closed(),
          WatchPace.USUAL.deadline(),
          Duration.ofMillis(200));

  @RegisterExtension private final LogRecord log = new LogRecord();
  @RegisterExtension private final MockCluster cluster = MockCluster.start();

  private final ClusterConnection connection = cluster.connection();

  private KubernetesNodeResourceStore open() {
    return KubernetesNodeResourceStore.open(connection, SystemTime.instance(), Runnable::run);
  }

  private KubernetesNodeResourceStore listed() {
    KubernetesNodeResourceStore store = open();
    Eventually.holds("the objects are listed", store::hasListed);
    return store;
  }

  private NodeResource create(String name) {
    NodeResource node = NodeResource.named(name).withInstanceId("i-" + name);
    return new CiliumNodes(connection).create(node);
  }

  private static Predicate<Asked> verb(String verb) {
    return request -> request.verb().equals(verb);
  }

  private static Predicate<Asked> watch(boolean is) {
    return request -> request.path().contains("watch=true") == is;
  }

  private static NodeResource marked(NodeResource node) {
    return node.withReleaseIps(
        Map.of(IpAddress.parse("10.0.0.9"), HandshakeState.MARKED_FOR_RELEASE));
  }

  /** A status, a {@code page} of something between, or any {@code text}. */
  private static MockResponse answer(int code, String reason, String body) {
    return switch (reason) {
      case "page" -> MockCluster.page(code);
      case "text" -> MockCluster.json(body).setResponseCode(code);
      case "TooManyRequests" ->
          MockCluster.status(code, reason, body).setHeader("Retry-After", "1");
      default -> MockCluster.status(code, reason, body);
    };
  }

  @Test
  @DisplayName("while its watch lives all is listed now and then, and an older state is taken")
  void listedAgain(@TempDir Path folder) throws Exception {
    create("n1");
    create("n2");
    try (ClusterConnection often = ClusterConnection.open(cluster.access(folder), OFTEN);
        KubernetesNodeResourceStore store =
            KubernetesNodeResourceStore.open(often, SystemTime.instance(), Runnable::run)) {
      Told watcher = new Told();
      store.watch(watcher);
      Eventually.holds("the list is delivered", () -> watcher.synced);
      int before = watcher.log.size();
      long lists = lists();
      Eventually.holds("it is listed twice more", () -> lists() >= lists + 2);
      assertThat(watcher.log).hasSize(before);
      assertThat(log.messages(Level.WARN)).isEmpty();

      cluster.answerEach(
          verb("GET").and(watch(false)),
          MockCluster.json(
              "{\"kind\":\"CiliumNodeList\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}"));
      Eventually.holds("what a backup lacks is gone", () -> watcher.nodes.isEmpty());
      assertThat(log.messages(Level.WARN)).anyMatch(each -> each.contains("older state"));
      assertThat(often.watches().late()).isEmpty();
    }
  }

  private long lists() {
    return cluster.requests("GET").stream().filter(watch(false)).count();
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          500 | InternalError   | etcdserver: leader changed    | etcdserver: leader changed
          429 | TooManyRequests | too many requests, try later  | try later
          502 | page            | ''                            | Bad Gateway
          200 | page            | ''                            | ''
          200 | text            | '{"kind":"List","items":[{'   | ''
          """)
  @DisplayName("a list that fails is told and tried again, until all objects and changes are known")
  void list(int code, String reason, String body, String told) throws Exception {
    create("n1");
    cluster.answerOnce(verb("GET").and(watch(false)), answer(code, reason, body));
    KubernetesNodeResourceStore store = open();
    Eventually.holds("it is listed", store::hasListed);
    assertThat(log.messages(Level.WARN)).anyMatch(each -> each.contains(told));
    Told watcher = new Told();
    store.watch(watcher);
    Eventually.holds("the list is delivered", () -> watcher.synced);
    assertThat(watcher.nodes).containsOnlyKeys("n1");
    create("n2");
    Eventually.holds("a new one is told", () -> watcher.nodes.containsKey("n2"));
    Eventually.holds("the trouble is over", () -> store.trouble().isEmpty());
    store.close();
  }

  @Test
  @DisplayName("a watch that is refused after the list is named by its verb, and tried again")
  void watchRefused() throws Exception {
    create("n1");
    cluster.answerOnce(watch(true), new MockResponse().setResponseCode(403));
    KubernetesNodeResourceStore store = listed();
    String told = "cannot watch resource \"ciliumnodes\"";
    Eventually.holds(
        "trouble is told",
        () -> log.messages(Level.WARN).stream().anyMatch(each -> each.contains(told)));
    Told watcher = new Told();
    store.watch(watcher);
    create("n2");
    Eventually.holds("a new one is told", () -> watcher.nodes.containsKey("n2"));
    Eventually.holds("the trouble is over", () -> store.trouble().isEmpty());
    store.close();
  }

  @Test
  @DisplayName("a status goes to the status alone, with the version that was read")
  void statusWrite() throws Exception {
    NodeResource read = create("n1");
    KubernetesNodeResourceStore store = listed();

    assertThat(store.updateStatus(read, marked(read))).isInstanceOf(StoreResult.Stored.class);

    assertThat(cluster.requests("PUT")).hasSize(1);
    Asked sent = cluster.requests("PUT").get(0);
    assertThat(sent.path())
        .isEqualTo(
            CiliumNodes.PATH
                + "/n1/status?fieldManager=tidemark-operator&timeout="
                + Hang.SECONDS
                + "s");
    assertThat(sent.authorization()).isEqualTo("Bearer " + SECRET);
    NodeResource body = Samples.parsed(sent.body());
    assertThat(body.resourceVersion()).isEqualTo(read.resourceVersion()).isNotEmpty();
    assertThat(body.releaseIps()).hasSize(1);
    assertThat(body.instanceId()).isEmpty();
    store.close();
  }

  @Test
  @DisplayName("a conflict is told as one; what is read then is read from the server")
  void conflict() throws Exception {
    NodeResource read = create("n1");
    KubernetesNodeResourceStore store = listed();
    Eventually.holds("it is watched", () -> cluster.requests().stream().anyMatch(watch(true)));
    cluster.answerOnce(
        verb("PUT"), MockCluster.status(409, "Conflict", "the object has been modified"));

    assertThat(store.update(read, read.withPreAllocate(5))).isEqualTo(new StoreResult.Conflict());
    int before = cluster.requests("GET").size();
    assertThat(store.get("n1")).isInstanceOf(StoreResult.Stored.class);

    assertThat(cluster.requests("GET").subList(before, cluster.requests("GET").size()))
        .singleElement()
        .satisfies(request -> assertThat(request.path()).isEqualTo(CiliumNodes.PATH + "/n1"));
    assertThat(store.update(read, read.withPreAllocate(5))).isInstanceOf(StoreResult.Stored.class);
    store.close();
  }

  @Test
  @DisplayName(
      "a status that is not found, of an object that is there, is refused with TM-1107 until it is"
          + " stored")
  void noStatusSubresource() throws Exception {
    NodeResource read = create("n1");
    KubernetesNodeResourceStore store = listed();
    Eventually.holds("it is watched", () -> cluster.requests().stream().anyMatch(watch(true)));
    cluster.answerOnce(verb("PUT"), MockCluster.notFound("ciliumnodes", "n1"));
    cluster.answerOnce(verb("PUT"), MockCluster.notFound("ciliumnodes", "n1"));

    assertThat(store.updateStatus(read, marked(read))).isEqualTo(new StoreResult.Conflict());
    assertThat(store.trouble()).isEmpty();
    assertThat(store.get("n1")).isInstanceOf(StoreResult.Stored.class);
    String missing =
        "TM-1107 DEFINITION_UNSUITABLE: the API server keeps no status of CiliumNodes: their"
            + " CustomResourceDefinition has no subresource status. ";
    StoreResult refused = store.updateStatus(read, marked(read));
    assertThat(refused).isInstanceOf(StoreResult.Refused.class);
    assertThat(((StoreResult.Refused) refused).detail()).startsWith(missing);
    assertThat(store.trouble().orElse("")).startsWith(missing);

    cluster.answerOnce(verb("PUT"), MockCluster.json(NodeResourceJson.print(marked(read))));
    assertThat(store.updateStatus(read, marked(read))).isInstanceOf(StoreResult.Stored.class);
    assertThat(store.trouble()).isEmpty();
    store.close();
  }

  @Test
  @DisplayName("a status that is not found, of an object that is gone, is no trouble")
  void statusOfGone() throws Exception {
    NodeResource read = create("n1");
    KubernetesNodeResourceStore store = listed();
    cluster.answerOnce(verb("PUT"), MockCluster.notFound("ciliumnodes", "n1"));
    assertThat(store.updateStatus(read, marked(read))).isEqualTo(new StoreResult.Conflict());
    cluster.answerOnce(
        verb("GET").and(asked -> asked.path().equals(CiliumNodes.PATH + "/n1")),
        MockCluster.notFound("ciliumnodes", "n1"));
    assertThat(store.get("n1")).isEqualTo(new StoreResult.NotFound());
    assertThat(store.trouble()).isEmpty();
    store.close();
  }

  @Test
  @DisplayName("a pool that the server drops is trouble with TM-1107 until it is kept")
  void poolDropped() throws Exception {
    NodeResource read = create("n1");
    VirtualTime time = new VirtualTime(0);
    KubernetesNodeResourceStore store =
        KubernetesNodeResourceStore.open(connection, time, Runnable::run);
    Eventually.holds("it is watched", () -> cluster.requests().stream().anyMatch(watch(true)));
    NodeResource filled = CiliumNodes.withPoolAddress(read, "eni-1", IpAddress.parse("10.0.0.9"));
    cluster.answerOnce(verb("PUT"), MockCluster.json(NodeResourceJson.print(read)));

    assertThat(store.update(read, filled)).isInstanceOf(StoreResult.Stored.class);
    assertThat(store.trouble().orElse(""))
        .startsWith("TM-1107")
        .contains("the API server drops fields of CiliumNodes that agents need: spec.ipam");
    time.runUntil(Duration.ofSeconds(61).toNanos());
    assertThat(store.trouble()).isPresent();
    assertThat(store.update(read, filled)).isInstanceOf(StoreResult.Stored.class);
    assertThat(store.trouble()).isEmpty();
    store.close();
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          403 | Forbidden       | User "operator" cannot update resource "ciliumnodes" in API group "cilium.io" | cannot update resource "ciliumnodes" in API group "cilium.io". Grant it | REFUSED
          429 | TooManyRequests | please try again later      | please try again later       | ASKED_TO_WAIT
          400 | BadRequest      | no such field               | no such field                | REFUSED
          404 | page            | ''                          | Not Found                    | UNKNOWN
          500 | InternalError   | no leader                   | no leader                    | UNKNOWN
          504 | Timeout         | request did not complete    | request did not complete     | UNKNOWN
          503 | page            | ''                          | Service Unavailable          | UNKNOWN
          200 | page            | ''                          | not that of an API server    | UNKNOWN
          200 | text            | ''                          | not that of an API server    | UNKNOWN
          200 | text            | {}                          | not that of an API server    | UNKNOWN
          """)
  @DisplayName(
      "a write that fails is one request, told with the server's words; the next one goes through")
  void write(int code, String reason, String body, String told, Effect effect) {
    NodeResource read = create("n1");
    KubernetesNodeResourceStore store = listed();
    Eventually.holds("it is watched", () -> cluster.requests().stream().anyMatch(watch(true)));
    cluster.answerOnce(verb("PUT"), answer(code, reason, body));

    StoreResult result = store.update(read, read.withPreAllocate(5));

    assertThat(result).isInstanceOf(StoreResult.Failed.class);
    assertThat(((StoreResult.Failed) result).detail()).contains(told);
    assertThat(((StoreResult.Failed) result).effect()).isEqualTo(effect);
    assertThat(cluster.requests("PUT")).hasSize(1);
    assertThat(store.update(read, read.withPreAllocate(6))).isInstanceOf(StoreResult.Stored.class);
    assertThat(cluster.requests("PUT")).hasSize(2);
    assertThat(store.trouble()).isEmpty();
    store.close();
  }

  @Test
  @DisplayName("credentials that are refused twice, read again in between, are told")
  void credentials() throws Exception {
    NodeResource read = create("n1");
    KubernetesNodeResourceStore store = listed();
    for (int i = 0; i < 2; i++) {
      cluster.answerOnce(verb("PUT"), MockCluster.status(401, "Unauthorized", "Unauthorized"));
    }

    StoreResult result = store.update(read, read.withPreAllocate(5));

    assertThat(((StoreResult.Failed) result).detail()).contains("401 Unauthorized", "Log in again");
    assertThat(cluster.requests("PUT")).hasSize(2);
    store.close();
  }

  @Test
  @DisplayName("an answer that does not come is not waited for longer than a request may take")
  void late() throws Exception {
    NodeResource read = create("n1");
    try (ClusterConnection hasty = cluster.connect(Duration.ofMillis(200))) {
      KubernetesNodeResourceStore store =
          KubernetesNodeResourceStore.open(hasty, SystemTime.instance(), Runnable::run);
      cluster.answerOnce(
          verb("PUT"),
          MockCluster.json(
                  "{\"metadata\":{\"name\":\"n1\",\"uid\":\"u\",\"resourceVersion\":\"9\"}}")
              .setBodyDelay(10, TimeUnit.MINUTES));

      StoreResult result = store.update(read, read.withPreAllocate(5));

      assertThat(((StoreResult.Failed) result).detail()).contains("timed out");
      assertThat(store.trouble()).isPresent();
      store.close();
    }
  }
}
