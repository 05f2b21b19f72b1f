package io.tidemark.agent.delegated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamDump;
import io.tidemark.agent.Lease;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Mode delegated-plugin (allocators 3.2)")
class DelegatedAllocatorTest {
  private static final PoolName POOL = new PoolName("default");
  private static final IpAddress IP = IpAddress.parse("10.0.0.1");
  private static final Allocation REFUSED = new Allocation.Denied(Denial.unsupported());

  private final Ipam ipam =
      Ipam.builder(new VirtualTime(0), new Random(1))
          .allocator(new DelegatedAllocator(IpFamily.IPV4))
          .allocator(new DelegatedAllocator(IpFamily.IPV6))
          .build();

  @Test
  @DisplayName("Every request for an address is refused as not supported, for good")
  void refused() {
    assertThat(ipam.allocate(IP, "a", POOL, UpstreamSync.NOW)).isEqualTo(REFUSED);
    assertThat(ipam.allocateNext(IpFamily.IPV6, "a", POOL, UpstreamSync.NOW)).isEqualTo(REFUSED);
    assertThat(ipam.allocateNextPair("a", PoolName.NOT_GIVEN, UpstreamSync.NOW)).isEqualTo(REFUSED);
    assertThat(Denial.unsupported().retryable()).isFalse();
    assertThat(ipam.startLease(IP, POOL, Duration.ofMinutes(1)))
        .isEqualTo(new Lease.Start.Refused(Denial.notAllocated(IP, POOL)));
  }

  @Test
  @DisplayName("A release succeeds, a reservation changes nothing, and nothing is listed")
  void nothing() {
    assertThat(ipam.release(IP, POOL)).isEmpty();
    ipam.exclude(Cidr.parse("10.0.0.0/8"), "route", POOL);
    ipam.include(Cidr.parse("10.0.0.0/8"), POOL);
    ipam.restoreFinished(IpFamily.IPV4);

    IpamDump dump = ipam.dump();
    assertThat(dump.ipv4()).isEmpty();
    assertThat(dump.ipv6()).isEmpty();
    assertThat(ipam.snapshot()).allMatch(each -> each.counts().capacity() == 0);
  }

  @Test
  @DisplayName("There is no position to take or give back")
  void positions() {
    DelegatedAllocator allocator = new DelegatedAllocator(IpFamily.IPV4);
    assertThatThrownBy(() -> allocator.take(0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> allocator.free(0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> allocator.address(0)).hasMessage("there is no position 0");
    assertThat(allocator.freeCount()).isZero();
  }
}
