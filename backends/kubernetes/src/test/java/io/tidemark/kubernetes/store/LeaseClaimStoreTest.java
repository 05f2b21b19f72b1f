package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.mockwebserver.http.MockResponse;
import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore.Reading;
import io.tidemark.cluster.ClaimStoreContract.Told;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.testing.Hang;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Claims as Leases behind an API server (node-id 19.2 AM4)")
class LeaseClaimStoreTest {
  private static final String PATH =
      "/apis/coordination.k8s.io/v1/namespaces/tidemark-node-ids/leases";
  private static final String NAME = "node-id-5";
  private static final Claim SEEN = new Claim(NAME, "u-9", "41", "n1", "u-1");

  @TempDir private Path folder;

  private final MockCluster cluster = MockCluster.start();
  private ClusterConnection connection;
  private LeaseClaimStore store;

  @BeforeEach
  void open() throws Exception {
    connection = cluster.connect(folder);
    store = LeaseClaimStore.watch(connection, "tidemark-node-ids", Runnable::run);
    // The mock server's list can have the version of a claim that it does not list yet.
    Eventually.holds("claims are listed", store::hasListed);
  }

  @AfterEach
  void close() {
    store.close();
    connection.close();
    cluster.close();
  }

  private static boolean isChange(Asked asked) {
    return List.of("POST", "PUT", "DELETE").contains(asked.verb());
  }

  private Asked last(String verb) {
    List<Asked> all = cluster.requests(verb);
    return all.get(all.size() - 1);
  }

  private static MockResponse status(int code, String reason, String details) {
    return new MockResponse()
        .setResponseCode(code)
        .setHeader("Content-Type", "application/json")
        .setBody(
            ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"%s\",\"reason\":\"%s\","
                    + "\"message\":\"words of the server\",\"code\":%d,\"details\":%s}")
                .formatted(code < 300 ? "Success" : "Failure", reason, code, details));
  }

  @Test
  @DisplayName("NI-27 A claim is one Lease with a label, holder and the uid of the node")
  void creates() {
    ClaimChange end = store.create(NAME, "n1", "u-1");
    assertThat(end).isInstanceOf(ClaimChange.Stored.class);
    assertThat(((ClaimChange.Stored) end).claim().isHeldBy("n1", "u-1")).isTrue();
    assertThat(last("POST").path())
        .isEqualTo(PATH + "?fieldManager=tidemark-operator&timeout=" + Hang.SECONDS + "s");
    assertThat(last("POST").body())
        .isEqualTo(
            "{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\",\"metadata\":{"
                + "\"name\":\"node-id-5\",\"namespace\":\"tidemark-node-ids\","
                + "\"labels\":{\"app.kubernetes.io/managed-by\":\"tidemark\"},"
                + "\"annotations\":{\"tidemark.io/node-uid\":\"u-1\"}},"
                + "\"spec\":{\"holderIdentity\":\"n1\"}}");
    assertThat(store.latest(NAME)).isPresent();
    assertThat(store.get(NAME)).isInstanceOf(Reading.Found.class);
  }

  @Test
  @DisplayName("NI-27 A claim is changed by its version, and deleted by uid and version")
  void conditions() {
    cluster.answerOnce(LeaseClaimStoreTest::isChange, status(409, "Conflict", "{}"));
    assertThat(store.update(SEEN, "n1", "u-2")).isEqualTo(new ClaimChange.Conflict());
    assertThat(last("PUT").path())
        .isEqualTo(
            PATH + "/node-id-5?fieldManager=tidemark-operator&timeout=" + Hang.SECONDS + "s");
    assertThat(last("PUT").body())
        .contains("\"uid\":\"u-9\",\"resourceVersion\":\"41\"")
        .contains("\"tidemark.io/node-uid\":\"u-2\"");
    cluster.answerOnce(LeaseClaimStoreTest::isChange, status(200, "", "{}"));
    assertThat(store.delete(SEEN)).isEqualTo(new ClaimChange.Gone());
    assertThat(last("DELETE").body())
        .isEqualTo(
            "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"preconditions\":{"
                + "\"uid\":\"u-9\",\"resourceVersion\":\"41\"}}");
  }

  static Stream<Arguments> endings() {
    return Stream.of(
        ending("409, exists", status(409, "AlreadyExists", "{}"), ClaimChange.Exists.class),
        ending("409", status(409, "Conflict", "{}"), ClaimChange.Conflict.class),
        ending(
            "404 of the claim",
            status(404, "NotFound", "{\"name\":\"node-id-5\",\"kind\":\"leases\"}"),
            ClaimChange.Gone.class),
        ending(
            "404 of the namespace",
            status(404, "NotFound", "{\"name\":\"tidemark-node-ids\",\"kind\":\"namespaces\"}"),
            ClaimChange.Refused.class),
        ending("404 of a gateway", MockCluster.page(404), ClaimChange.Unknown.class),
        ending("403", status(403, "Forbidden", "{}"), ClaimChange.Refused.class),
        ending("422", status(422, "Invalid", "{}"), ClaimChange.Refused.class),
        ending("429", status(429, "TooManyRequests", "{}"), ClaimChange.AskedToWait.class),
        ending("408", MockCluster.page(408), ClaimChange.Unknown.class),
        ending("500", status(500, "InternalError", "{}"), ClaimChange.Unknown.class),
        ending("502 of a gateway", MockCluster.page(502), ClaimChange.Unknown.class),
        ending("504", status(504, "Timeout", "{}"), ClaimChange.Unknown.class),
        ending("200 and a page", MockCluster.page(200), ClaimChange.Unknown.class));
  }

  private static Arguments ending(String name, MockResponse answer, Class<?> end) {
    return Arguments.of(Named.of(name, answer), end);
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("how a change ended follows from the server's answer, and from nothing else")
  @MethodSource("endings")
  void ended(MockResponse answer, Class<?> end) {
    cluster.answerOnce(LeaseClaimStoreTest::isChange, answer);
    assertThat(store.create(NAME, "n1", "u-1")).isInstanceOf(end);
    assertThat(cluster.requests("POST")).hasSize(1);
    assertThat(store.latest(NAME)).isEmpty();
  }

  @Test
  @DisplayName("a change whose answer does not come in time is unknown, and is one request")
  void late() throws Exception {
    cluster.answerOnce(
        LeaseClaimStoreTest::isChange,
        new MockResponse()
            .setResponseCode(200)
            .setBody(
                "{\"metadata\":{\"name\":\"node-id-5\",\"uid\":\"u\",\"resourceVersion\":\"9\"}}")
            .setBodyDelay(10, TimeUnit.MINUTES));
    try (ClusterConnection hasty = cluster.connect(folder, Duration.ofMillis(200));
        LeaseClaimStore late = LeaseClaimStore.watch(hasty, "tidemark-node-ids", Runnable::run)) {
      assertThat(late.create(NAME, "n1", "u-1")).isInstanceOf(ClaimChange.Unknown.class);
    }
    assertThat(cluster.requests("POST")).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  @DisplayName("a read is absent only by the server's own word; without the lease nothing is sent")
  void readsAndFence() {
    cluster.answerOnce(
        asked -> asked.path().equals(PATH + "/node-id-5"),
        status(404, "NotFound", "{\"name\":\"node-id-5\",\"kind\":\"leases\"}"));
    assertThat(store.get(NAME)).isEqualTo(new Reading.Absent());
    cluster.answerOnce(asked -> asked.path().equals(PATH + "/node-id-5"), MockCluster.page(404));
    assertThat(store.get(NAME)).isInstanceOf(Reading.Failed.class);
    store.leads(() -> false);
    assertThat(store.create(NAME, "n1", "u-1")).isInstanceOf(ClaimChange.AskedToWait.class);
    assertThat(store.update(SEEN, "n1", "u-1")).isInstanceOf(ClaimChange.AskedToWait.class);
    assertThat(store.delete(SEEN)).isInstanceOf(ClaimChange.AskedToWait.class);
    assertThat(cluster.requests()).noneMatch(LeaseClaimStoreTest::isChange);
  }

  @Test
  @DisplayName("claims are read in their namespace, by their label, and a list tells the watcher")
  void watches() {
    assertThat(store.create(NAME, "n1", "u-1")).isInstanceOf(ClaimChange.Stored.class);
    Told told = new Told();
    Watch watch = store.watch(told);
    Eventually.holds("it is synced", () -> told.log().contains("synced"));
    assertThat(told.log()).contains("node-id-5 of n1 u-1");
    connection.client().raw(PATH + "/node-id-5", "DELETE", null);
    assertThat(store.list()).isEqualTo(new CatchUp.Done());
    assertThat(told.log()).contains("deleted node-id-5");
    assertThat(store.names()).isEmpty();
    assertThat(cluster.requests("GET"))
        .anyMatch(asked -> asked.path().contains("app.kubernetes.io%2Fmanaged-by%3Dtidemark"));
    assertThat(cluster.requests("GET").get(0).path())
        .as("from etcd and no cache")
        .contains("limit=")
        .doesNotContain("resourceVersion=");
    watch.close();
  }
}
