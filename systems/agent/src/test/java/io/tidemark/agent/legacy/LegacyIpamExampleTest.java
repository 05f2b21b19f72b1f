package io.tidemark.agent.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.AllocationResult;
import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PairAllocation;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The example of the facade of Cilium 1.6")
class LegacyIpamExampleTest {
  private final VirtualTime scheduler = new VirtualTime(0);
  private final Random random = new Random(1);

  @Test
  @DisplayName("gives a pod an address that it keeps, and takes it back")
  void example() {
    Ipam ipam =
        Ipam.builder(scheduler, random)
            .allocator(HostRange.of(Cidr.parse("10.0.0.0/24"), 0))
            .build();
    LegacyIpam legacy = new LegacyIpam(ipam, new PoolName("default"), RouteSource.NONE);
    legacy.blacklistIp(IpAddress.parse("10.0.0.1"), "gateway");

    PairAllocation end =
        legacy.allocateNextWithExpiration("ipv4", "default/web-1", Duration.ofMinutes(10));
    if (!(end instanceof PairAllocation.Granted granted)) {
      throw new IllegalStateException(((Allocation.Denied) end).denial().text());
    }
    AllocationResult address = granted.ipv4().orElseThrow();
    // The pod is set up with the address, in less than ten minutes. Then it keeps it:
    Optional<Denial> expired =
        legacy.stopExpirationTimer(address.ip(), address.lease().orElseThrow().id());
    if (expired.isPresent()) {
      throw new IllegalStateException(expired.get().text());
    }
    // The pod is deleted:
    Optional<Denial> refused = legacy.releaseIpString("default/web-1");

    assertThat(refused).isEmpty();
    assertThat(address.ip()).isNotEqualTo(IpAddress.parse("10.0.0.1"));
    assertThat(legacy.dump().toString()).doesNotContain("web-1");
  }
}
