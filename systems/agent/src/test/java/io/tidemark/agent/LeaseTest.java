package io.tidemark.agent;

import static io.tidemark.agent.TestNode.DEFAULT;
import static io.tidemark.agent.TestNode.denied;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.PoolMetadata;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.testing.LogLines;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Leases")
class LeaseTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  @DisplayName("A02 An address with a lease is released when it runs out; it has one lease alone")
  void runsOut() {
    TestNode node = TestNode.hostScope("10.0.0.0/24");
    node.take("10.0.0.1", "a");
    node.lease("10.0.0.1", MINUTE);
    assertThat(refusedLease(node, "10.0.0.1"))
        .isEqualTo(Denial.leaseExists(IpAddress.parse("10.0.0.1"), DEFAULT));
    assertThat(node.refused("10.0.0.1").code()).isEqualTo(AgentError.ALREADY_ALLOCATED);
    try (LogLines log = new LogLines(Ipam.class)) {
      node.pass(MINUTE.multipliedBy(2));
      assertThat(log.warnings())
          .containsExactly("10.0.0.1 of pool default is released, because its lease ran out");
    }
    node.take("10.0.0.1", "b");
    assertThat(node.events("release", "ipv4")).isEqualTo(1);
    assertThat(node.published).hasSize(3);
  }

  @Test
  @DisplayName("A03 Only the lease that runs can be stopped; its address stays in use then")
  void stopped() {
    TestNode node = TestNode.hostScope("10.0.0.0/24");
    node.take("10.0.0.1", "a");
    Lease lease = node.lease("10.0.0.1", MINUTE);
    Lease other = new Lease(new UUID(1, 2), lease.ip(), lease.pool());
    assertThat(node.ipam.stopLease(other))
        .contains(Denial.leaseMismatch(lease.ip(), DEFAULT, new UUID(1, 2)));
    assertThat(node.ipam.stopLease(lease)).isEmpty();
    assertThat(node.time.pending()).isZero();
    assertThat(node.ipam.stopLease(lease)).contains(Denial.leaseNotFound(lease.ip(), DEFAULT));
    node.pass(MINUTE.multipliedBy(2));
    assertThat(node.refused("10.0.0.1").code()).isEqualTo(AgentError.ALREADY_ALLOCATED);
  }

  @Test
  @DisplayName("A04 A release ends the lease, so the next allocation can have one of its own")
  void endedByRelease() {
    TestNode node = TestNode.hostScope("10.0.0.0/24");
    node.take("10.0.0.1", "a");
    node.lease("10.0.0.1", MINUTE);
    node.release("10.0.0.1");
    assertThat(node.time.pending()).isZero();
    node.take("10.0.0.1", "b");
    node.lease("10.0.0.1", MINUTE);
  }

  @Test
  @DisplayName("A05 A pair of a mode without pools is leased in the default pool, each on its own")
  void pair() {
    PoolMetadata metadata = (owner, family) -> new PoolMetadata.Answer.Named("some-pool");
    TestNode node =
        TestNode.with(
            builder -> TestNode.ranges(builder, "10.0.0.0/24", "f00d::/64").metadata(metadata));
    PairAllocation.Granted both = leased(node, MINUTE);
    PairAllocation.Granted stopped = leased(node, MINUTE);
    assertThat(both.ipv4().orElseThrow().lease().orElseThrow().pool()).isEqualTo(DEFAULT);
    assertThat(node.ipam.stopLease(stopped.ipv4().orElseThrow().lease().orElseThrow())).isEmpty();
    node.pass(MINUTE);
    assertThat(node.ipam.dump().ipv4()).containsOnlyKeys("10.0.0.2");
    assertThat(node.ipam.dump().ipv6()).isEmpty();
  }

  @Test
  @DisplayName("A06 A timeout of zero starts no lease")
  void noLease() {
    TestNode node = TestNode.hostScope("10.0.0.0/24");
    assertThat(leased(node, Duration.ZERO).ipv4().orElseThrow().lease()).isEmpty();
    assertThat(node.time.pending()).isZero();
  }

  @Test
  @DisplayName("A07 The timer of an earlier lease does nothing to a later allocation")
  void staleTimer() {
    Timers timers = new Timers();
    Ipam ipam =
        Ipam.builder(timers, new Random(1)).allocator(TestNode.range("10.0.0.0/24")).build();
    IpAddress ip = IpAddress.parse("10.0.0.1");
    for (String owner : List.of("a", "b")) {
      TestNode.granted(ipam.allocate(ip, owner, DEFAULT, UpstreamSync.NOW));
      assertThat(ipam.startLease(ip, DEFAULT, MINUTE)).isInstanceOf(Lease.Start.Started.class);
      if (owner.equals("a")) {
        assertThat(ipam.release(ip, DEFAULT)).isEmpty();
      }
    }
    timers.tasks.get(0).run();
    assertThat(ipam.dump().ipv4()).containsEntry("10.0.0.1", "b");
    timers.tasks.get(1).run();
    timers.tasks.get(1).run();
    assertThat(ipam.dump().ipv4()).containsEntry("10.0.0.1", "cooling");
  }

  @Test
  @DisplayName("A08 An address that is not allocated gets no lease")
  void notAllocated() {
    TestNode node = TestNode.hostScope("10.0.0.0/24");
    node.exclude("10.0.0.2", "router");
    for (String ip : List.of("10.0.0.1", "10.0.0.2", "10.0.0.255", "192.168.0.1")) {
      assertThat(refusedLease(node, ip))
          .isEqualTo(Denial.notAllocated(IpAddress.parse(ip), DEFAULT));
    }
    assertThat(refusedLease(node, "f00d::1")).isEqualTo(Denial.familyDisabled(IpFamily.IPV6));
    Lease lease = new Lease(new UUID(1, 2), IpAddress.parse("10.0.0.1"), PoolName.NOT_GIVEN);
    assertThat(node.ipam.stopLease(lease)).contains(Denial.poolRequired(lease.ip()));
    assertThat(node.time.pending()).isZero();
  }

  @Test
  @DisplayName("A20 When the second lease of a pair cannot start, both addresses are released")
  void secondLease() {
    Timers timers = new Timers();
    List<PoolSnapshot> after = new ArrayList<>();
    Ipam ipam =
        TestNode.ranges(Ipam.builder(timers, new Random(1)), "10.0.0.0/24", "f00d::/120")
            .cooling(CoolingRule.OFF)
            .build();
    // While the first lease starts, somebody else starts one of the other address.
    timers.meanwhile =
        Optional.of(() -> ipam.startLease(IpAddress.parse("f00d::1"), DEFAULT, MINUTE));
    PairAllocation pair = ipam.allocateNextPair("a", DEFAULT, UpstreamSync.NOW, MINUTE);
    assertThat(denied(pair).code()).isEqualTo(AgentError.LEASE_EXISTS);
    after.addAll(ipam.snapshot());
    assertThat(after).extracting(PoolSnapshot::held).allMatch(List::isEmpty);
    assertThat(after)
        .extracting(PoolSnapshot::counts)
        .containsOnly(new AddressCounts(254, 0, 0, 0));
    assertThat(timers.withdrawn).isEqualTo(2);
  }

  @Test
  @DisplayName("A timer that comes after the end of its lease is withdrawn")
  void lateTimer() {
    Timers timers = new Timers();
    Ipam ipam =
        Ipam.builder(timers, new Random(1)).allocator(TestNode.range("10.0.0.0/24")).build();
    IpAddress ip = IpAddress.parse("10.0.0.1");
    TestNode.granted(ipam.allocate(ip, "a", DEFAULT, UpstreamSync.NOW));
    timers.meanwhile = Optional.of(() -> ipam.release(ip, DEFAULT));
    assertThat(ipam.startLease(ip, DEFAULT, MINUTE)).isInstanceOf(Lease.Start.Started.class);
    assertThat(timers.withdrawn).isEqualTo(1);
  }

  @Test
  @DisplayName("The ids of leases are random UUIDs of version 4, repeatable from the seed")
  void ids() {
    List<UUID> ids = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      TestNode node = TestNode.hostScope("10.0.0.0/24");
      for (int i = 1; i <= 50; i++) {
        node.take("10.0.0." + i, "a");
        ids.add(node.lease("10.0.0." + i, MINUTE).id());
      }
    }
    assertThat(ids).allMatch(id -> id.version() == 4 && id.variant() == 2);
    assertThat(ids.subList(0, 50)).doesNotHaveDuplicates().isEqualTo(ids.subList(50, 100));
  }

  private static PairAllocation.Granted leased(TestNode node, Duration timeout) {
    PairAllocation pair =
        node.ipam.allocateNextPair("a", PoolName.NOT_GIVEN, UpstreamSync.NOW, timeout);
    assertThat(pair).isInstanceOf(PairAllocation.Granted.class);
    return (PairAllocation.Granted) pair;
  }

  private static Denial refusedLease(TestNode node, String ip) {
    Lease.Start start = node.ipam.startLease(IpAddress.parse(ip), DEFAULT, MINUTE);
    assertThat(start).isInstanceOf(Lease.Start.Refused.class);
    return ((Lease.Start.Refused) start).denial();
  }

  /** Keeps timers to be run by hand, withdrawn or not, as one that fires too late is. */
  private static final class Timers implements TaskScheduler {
    private final List<Runnable> tasks = new ArrayList<>();
    private final VirtualTime clock = new VirtualTime(0);
    private Optional<Runnable> meanwhile = Optional.empty();
    private int withdrawn;

    @Override
    public Cancellable at(long nanos, Runnable task) {
      tasks.add(task);
      Optional<Runnable> once = meanwhile;
      meanwhile = Optional.empty();
      once.ifPresent(Runnable::run);
      return () -> {
        withdrawn++;
        return true;
      };
    }

    @Override
    public TimeSource time() {
      return clock;
    }
  }
}
