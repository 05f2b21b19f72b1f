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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Claims as Leases behind an API server (node-id 19.2 AM4)")
class LeaseClaimStoreTest {
  private static final String PATH =
      "/apis/coordination.k8s.io/v1/namespaces/tidemark-node-ids/leases";
  private static final String NAME = "node-id-5";
  private static final Claim SEEN = new Claim(NAME, "u-9", "41", "n1", "u-1");

  @RegisterExtension private final MockCluster cluster = MockCluster.start();

  private final ClusterConnection connection = cluster.connection();

  @AutoClose
  private final LeaseClaimStore store =
      LeaseClaimStore.watch(connection, "tidemark-node-ids", Runnable::run);

  /** The mock server's list can have the version of a claim that it does not list yet. */
  @BeforeEach
  void listed() {
    Eventually.holds("claims are listed", store::hasListed);
  }

  private static boolean isChange(Asked asked) {
    return List.of("POST", "PUT", "DELETE").contains(asked.verb());
  }

  private Asked last(String verb) {
    List<Asked> all = cluster.requests(verb);
    return all.get(all.size() - 1);
  }

  private static MockResponse status(int code, String reason, String details) {
    return reason.equals("page")
        ? MockCluster.page(code)
        : MockCluster.status(code, reason, "words of the server", details);
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
        .contains("\"uid\":\"u-9\",\"resourceVersion\":\"41\"", "\"tidemark.io/node-uid\":\"u-2\"");
    cluster.answerOnce(LeaseClaimStoreTest::isChange, status(200, "", "{}"));
    assertThat(store.delete(SEEN)).isEqualTo(new ClaimChange.Gone());
    assertThat(last("DELETE").body())
        .isEqualTo(
            "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"preconditions\":{"
                + "\"uid\":\"u-9\",\"resourceVersion\":\"41\"}}");
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @DisplayName("how a change ended follows from the server's answer, and from nothing else")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          409 | AlreadyExists   | {}                                                | Exists
          409 | Conflict        | {}                                                | Conflict
          404 | NotFound        | {"name":"node-id-5","kind":"leases"}              | Gone
          404 | NotFound        | {"name":"tidemark-node-ids","kind":"namespaces"}  | Refused
          404 | page            | {}                                                | Unknown
          403 | Forbidden       | {}                                                | Refused
          422 | Invalid         | {}                                                | Refused
          429 | TooManyRequests | {}                                                | AskedToWait
          408 | page            | {}                                                | Unknown
          500 | InternalError   | {}                                                | Unknown
          502 | page            | {}                                                | Unknown
          504 | Timeout         | {}                                                | Unknown
          200 | page            | {}                                                | Unknown
          """)
  void ended(int code, String reason, String details, String end) {
    cluster.answerOnce(LeaseClaimStoreTest::isChange, status(code, reason, details));
    assertThat(store.create(NAME, "n1", "u-1").getClass().getSimpleName()).isEqualTo(end);
    assertThat(cluster.requests("POST")).hasSize(1);
    assertThat(store.latest(NAME)).isEmpty();
  }

  @Test
  @DisplayName("a change whose answer does not come in time is unknown, and is one request")
  void late() throws Exception {
    cluster.answerOnce(
        LeaseClaimStoreTest::isChange,
        MockCluster.json(
                "{\"metadata\":{\"name\":\"node-id-5\",\"uid\":\"u\",\"resourceVersion\":\"9\"}}")
            .setBodyDelay(10, TimeUnit.MINUTES));
    try (ClusterConnection hasty = cluster.connect(Duration.ofMillis(200));
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
