package io.tidemark.agent.multipool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.PoolName;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Requests that found no address")
class PendingRequestsTest {
  private static final PoolName MARS = new PoolName("mars");

  private final PendingRequests pending = new PendingRequests(new VirtualTime(0));

  @Test
  @DisplayName("A53 Each owner counts once per family, until it is served")
  void owners() {
    lacking("a", 0);
    lacking("a", 1);
    lacking("b", 1);
    pending.lacking(MARS, IpFamily.IPV6, "a", minutes(1));
    assertThat(pending.count(MARS, IpFamily.IPV4)).isEqualTo(2);
    assertThat(pending.count(MARS, IpFamily.IPV6)).isEqualTo(1);
    assertThat(pending.pools()).containsExactly("mars");

    pending.served(MARS, IpFamily.IPV4, "a");
    pending.served(new PoolName("venus"), IpFamily.IPV4, "b");
    assertThat(pending.count(MARS, IpFamily.IPV4)).isEqualTo(1);
    assertThat(pending.count(MARS, IpFamily.IPV6)).isEqualTo(1);
  }

  @Test
  @DisplayName("A53 Who has not asked for more than five minutes counts no more")
  void expiry() {
    lacking("a", 0);
    lacking("b", 0);
    lacking("a", 3);
    pending.expire(minutes(5));
    assertThat(pending.count(MARS, IpFamily.IPV4)).isEqualTo(2);
    pending.expire(minutes(5) + 1);
    assertThat(pending.count(MARS, IpFamily.IPV4)).isEqualTo(1);
    pending.expire(minutes(8) + 1);
    assertThat(pending.pools()).isEmpty();
  }

  @Test
  @DisplayName("No more owners are counted than fit on a node")
  void bound() {
    for (int i = 0; i < 5000; i++) {
      lacking("pod-" + i, 0);
    }
    assertThat(pending.count(MARS, IpFamily.IPV4)).isEqualTo(4096);
    lacking("pod-0", 3);
    pending.expire(minutes(6));
    assertThat(pending.count(MARS, IpFamily.IPV4)).isEqualTo(1);
  }

  private void lacking(String owner, int minute) {
    pending.lacking(MARS, IpFamily.IPV4, owner, minutes(minute));
  }

  private static long minutes(int minutes) {
    return Duration.ofMinutes(minutes).toNanos();
  }
}
