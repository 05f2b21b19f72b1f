package io.tidemark.kubernetes.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cluster.lease.LeaderLease;
import io.tidemark.cluster.lease.LeaseFailure;
import io.tidemark.cluster.lease.LeasePort.Claim;
import io.tidemark.cluster.lease.LeaseRecord;
import io.tidemark.cluster.lease.LeaseTiming;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Requests about the lease")
class LeaseRequestsTest {
  @RegisterExtension private final MockCluster cluster = MockCluster.start();

  private final ClusterConnection connection = cluster.connection();
  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private final LeaseRequests requests = new LeaseRequests(connection, "ours", "operator", time);

  private static Claim claim(String holder) {
    return new Claim(holder, LeaseTiming.USUAL, true, 0, Map.of());
  }

  private static Predicate<MockCluster.Asked> verb(String verb) {
    return asked -> asked.verb().equals(verb);
  }

  @Test
  @DisplayName("a lease is created, read and written with the version that was read")
  void life() {
    assertThat(requests.read()).isEmpty();
    LeaseRecord created = requests.create(claim("me")).orElseThrow();
    assertThat(created.holder()).isEqualTo("me");
    assertThat(requests.read()).contains(created);
    LeaseRecord written = requests.write(created.version(), claim("")).orElseThrow();
    assertThat(written.holder()).isEmpty();
    assertThat(written.version()).isNotEqualTo(created.version());
    assertThat(cluster.requests("PUT"))
        .singleElement()
        .satisfies(
            put -> {
              assertThat(put.path()).endsWith("/namespaces/ours/leases/operator");
              assertThat(put.body()).contains("\"resourceVersion\":\"" + created.version() + "\"");
            });
  }

  @Test
  @DisplayName("nothing is written on a version that was not read, nor before the first read")
  void unknownVersion() {
    assertThat(requests.write("1", claim("me"))).isEmpty();
    LeaseRecord created = requests.create(claim("me")).orElseThrow();
    assertThat(requests.write(created.version() + "0", claim("me"))).isEmpty();
    assertThat(cluster.requests("PUT")).isEmpty();
  }

  @ParameterizedTest(name = "{0} {1}")
  @DisplayName("somebody was faster: the answer is empty, not a failure")
  @CsvSource({"409, Conflict", "409, AlreadyExists", "404, NotFound"})
  void faster(int code, String reason) {
    LeaseRecord created = requests.create(claim("me")).orElseThrow();
    cluster.answerOnce(verb("PUT"), MockCluster.status(code, reason, "no"));
    assertThat(requests.write(created.version(), claim("me"))).isEmpty();
    cluster.answerOnce(verb("POST"), MockCluster.status(code, reason, "no"));
    assertThat(requests.create(claim("me"))).isEmpty();
  }

  @Test
  @DisplayName("a missing right is thrown with the server's words, of a read and of a write")
  void forbidden() {
    LeaseRecord created = requests.create(claim("me")).orElseThrow();
    cluster.answerOnce(verb("PUT"), MockCluster.status(403, "Forbidden", "cannot update leases"));
    assertThatThrownBy(() -> requests.write(created.version(), claim("me")))
        .isInstanceOf(LeaseFailure.class)
        .hasMessageContaining("cannot update leases");
    cluster.answerOnce(verb("GET"), MockCluster.status(403, "Forbidden", "cannot get leases"));
    assertThatThrownBy(requests::read)
        .isInstanceOf(LeaseFailure.class)
        .hasMessageContaining("cannot get leases");
  }

  @Test
  @DisplayName("the settings make a lease that is held over these requests")
  void settings() {
    LeaderLease lease =
        new LeaseSettings("ours", "operator", "me", LeaseTiming.USUAL)
            .lease(
                connection,
                time,
                time.effects((site, at) -> EffectFate.answered(Duration.ZERO, Duration.ZERO)),
                Map::of);
    lease.start();
    time.runUntil(Duration.ofSeconds(1).toNanos());
    assertThat(lease.isOpen()).as("leads").isTrue();
    assertThat(lease.holder()).contains("me");
    assertThat(lease.uid()).isEqualTo(requests.read().map(LeaseRecord::uid));
    assertThat(lease.trouble()).isEmpty();
  }

  @Test
  @DisplayName("the server is the one of the connection")
  void server() {
    assertThat(requests.server()).startsWith("http").isEqualTo(connection.server());
  }
}
