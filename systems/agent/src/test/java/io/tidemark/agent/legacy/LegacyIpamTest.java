package io.tidemark.agent.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.AllocationResult;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.Lease;
import io.tidemark.agent.PairAllocation;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The facade of 1.6 (allocators 13)")
class LegacyIpamTest {
  private static final PoolName POOL = new PoolName("default");
  private static final IpAddress V4 = IpAddress.parse("10.0.0.7");
  private static final IpAddress V6 = IpAddress.parse("fd00::7");

  private final VirtualTime time = new VirtualTime(0);
  private final Ipam ipam =
      Ipam.builder(time, new Random(1))
          .cooling(CoolingRule.OFF)
          .allocator(HostRange.of(Cidr.parse("10.0.0.0/24"), 0))
          .allocator(HostRange.of(Cidr.parse("fd00::/120"), 0))
          .build();
  private Optional<RouteSource.Routes> routes = Optional.empty();
  private final LegacyIpam legacy = new LegacyIpam(ipam, POOL, () -> routes);

  private static Denial denial(Object ending) {
    assertThat(ending).isInstanceOf(Allocation.Denied.class);
    return ((Allocation.Denied) ending).denial();
  }

  private static List<AllocationResult> results(PairAllocation pair) {
    assertThat(pair).isInstanceOf(PairAllocation.Granted.class);
    PairAllocation.Granted granted = (PairAllocation.Granted) pair;
    return Stream.of(granted.ipv4(), granted.ipv6()).flatMap(Optional::stream).toList();
  }

  private static List<String> ips(PairAllocation pair) {
    return results(pair).stream().map(each -> each.ip().toString()).toList();
  }

  @Test
  @DisplayName("A67 An owner's name releases its addresses of both families, once")
  void releaseByOwner() {
    assertThat(legacy.allocateIp(V4, "default/test")).isInstanceOf(Allocation.Granted.class);
    assertThat(legacy.allocateIpString("fd00::7", "default/test"))
        .isInstanceOf(Allocation.Granted.class);
    assertThat(legacy.allocateIpString("10.0.0.8", "default/test2"))
        .isInstanceOf(Allocation.Granted.class);

    Denial unknown = Denial.unknownOwner("default/foo");
    assertThat(legacy.releaseIpString("default/foo")).contains(unknown);
    assertThat(unknown.detail()).isEqualTo("invalid IP address or owner name \"default/foo\"");
    assertThat(legacy.releaseIpString("default/test")).isEmpty();
    assertThat(legacy.dump().ipv4()).containsExactly(Map.entry("10.0.0.8", "default/test2"));
    assertThat(legacy.dump().ipv6()).isEmpty();
    assertThat(legacy.releaseIpString("default/test"))
        .contains(Denial.unknownOwner("default/test"));
  }

  @Test
  @DisplayName("A67 Releasing by an owner's name ends its leases, and reaches every pool")
  void releaseEverywhere() {
    PoolName blue = new PoolName("blue");
    Ipam pools =
        Ipam.builder(time, new Random(1))
            .cooling(CoolingRule.OFF)
            .pool(POOL, HostRange.of(Cidr.parse("10.0.0.0/24"), 0))
            .pool(blue, HostRange.of(Cidr.parse("10.1.0.0/24"), 0))
            .build();
    LegacyIpam all = new LegacyIpam(pools, POOL, RouteSource.NONE);
    assertThat(ips(all.allocateNextWithExpiration("", "a", Duration.ofMinutes(1))))
        .containsExactly("10.0.0.1");
    pools.allocateNext(IpFamily.IPV4, "a", blue, UpstreamSync.NOW);

    assertThat(all.releaseIpString("a")).isEmpty();
    assertThat(all.dump().ipv4()).isEmpty();
    assertThat(all.allocateIpString("10.0.0.1", "b")).isInstanceOf(Allocation.Granted.class);
    time.runUntil(Duration.ofMinutes(2).toNanos());
    assertThat(all.dump().ipv4()).containsOnlyKeys("10.0.0.1");
    assertThat(time.pending()).isZero();
  }

  @Test
  @DisplayName("A67 An owner whose name is an address is never meant by its name")
  void ownerNamedAsAddress() {
    legacy.allocateIp(V4, "10.0.0.9");
    assertThat(legacy.releaseIpString("10.0.0.9"))
        .contains(Denial.notAllocated(IpAddress.parse("10.0.0.9"), POOL));
    assertThat(legacy.releaseIpString("10.0.0.7")).isEmpty();
    assertThat(legacy.releaseIp(V4)).contains(Denial.notAllocated(V4, POOL));
    assertThat(legacy.releaseIp(IpAddress.parse("192.168.0.1")))
        .contains(Denial.notAllocated(IpAddress.parse("192.168.0.1"), POOL));
  }

  @Test
  @DisplayName("A68 A blacklisted address and every address of a blacklisted network are refused")
  void blacklist() {
    legacy.blacklistIp(V4, "test");
    legacy.blacklistIp(V6, "test");
    legacy.blacklistIpNet(Cidr.parse("10.0.0.128/25"), "net");
    legacy.blacklistIpNet(Cidr.parse("fd00::80/121"), "net");
    legacy.blacklistIpNet(Cidr.parse("::ffff:10.0.0.64/126"), "mapped");

    for (String each : new String[] {"10.0.0.7", "fd00::7", "10.0.0.200", "fd00::c8"}) {
      IpAddress ip = IpAddress.parse(each);
      String owner = each.endsWith("7") ? "test" : "net";
      assertThat(legacy.blacklist().contains(ip)).as(each).isTrue();
      assertThat(denial(legacy.allocateIp(ip, "a"))).isEqualTo(Denial.excluded(ip, POOL, owner));
    }
    assertThat(legacy.blacklist().contains(IpAddress.parse("::ffff:10.0.0.7"))).isTrue();
    assertThat(legacy.blacklist().contains(IpAddress.parse("10.0.0.65"))).isTrue();
    assertThat(legacy.blacklist().contains(IpAddress.parse("10.0.0.8"))).isFalse();
    assertThat(legacy.blacklist().contains(IpAddress.parse("fd00::8"))).isFalse();
    assertThat(legacy.blacklist().all())
        .contains(new IpNetWithOwner(Cidr.parse("fd00::7/128"), "test"));
    assertThat(ips(legacy.allocateNext("", "a"))).containsExactly("10.0.0.1", "fd00::1");
  }

  /** One route, and whether its destination is reserved. */
  @ParameterizedTest(name = "A69 {5}")
  @CsvSource({
    "10.0.0.0/28, eth0, true, false, true, a subnet of another interface is reserved",
    "10.0.0.0/28, eth0, false, true, true, what lies behind a gateway is reserved",
    "10.0.0.0/28, cilium_host, true, true, false, a route to the pods themselves is not",
    "'', eth0, true, true, false, the default route is not",
    "10.0.0.0/28, eth0, false, false, false, a black hole is not",
  })
  void routes(
      String destination,
      String device,
      boolean source,
      boolean gateway,
      boolean reserved,
      String why) {
    Optional<Cidr> to =
        destination.isEmpty() ? Optional.empty() : Optional.of(Cidr.parse(destination));
    present(new LocalRoute(to, device, source, gateway));
    legacy.reserveLocalRoutes();

    assertThat(legacy.blacklist().contains(V4)).as(why).isEqualTo(reserved);
    if (reserved) {
      assertThat(denial(legacy.allocateIp(V4, "a")))
          .isEqualTo(Denial.excluded(V4, POOL, "local route: 10.0.0.0/28"));
    } else {
      assertThat(legacy.allocateIp(V4, "a")).isInstanceOf(Allocation.Granted.class);
    }
  }

  private void present(LocalRoute... all) {
    routes = Optional.of(new RouteSource.Routes("cilium_host", List.of(all)));
  }

  private static LocalRoute route(String destination) {
    return new LocalRoute(Optional.of(Cidr.parse(destination)), "eth0", true, false);
  }

  @Test
  @DisplayName("A69 Without the device of the pods nothing is reserved, and nothing given back")
  void noDevice() {
    present(route("10.0.0.0/28"));
    legacy.reserveLocalRoutes();
    routes = Optional.empty();
    legacy.reserveLocalRoutes();
    assertThat(legacy.blacklist().contains(V4)).isTrue();
    assertThat(RouteSource.NONE.read()).isEmpty();
  }

  @Test
  @DisplayName("A70 Reserving the routes again takes the place of the former reservation")
  void repeated() {
    present(route("10.0.0.0/28"), route("10.0.0.16/28"), route("10.0.0.0/28"));
    legacy.reserveLocalRoutes();
    legacy.reserveLocalRoutes();
    assertThat(legacy.blacklist().all()).hasSize(2);
    assertThat(ipam.snapshot().get(0).exclusions()).hasSize(2);

    present(route("10.0.0.16/28"), route("10.0.0.32/28"));
    legacy.reserveLocalRoutes();
    assertThat(ipam.snapshot().get(0).exclusions())
        .containsOnlyKeys(Cidr.parse("10.0.0.16/28"), Cidr.parse("10.0.0.32/28"));
    assertThat(legacy.allocateIp(V4, "a")).isInstanceOf(Allocation.Granted.class);
  }

  @Test
  @DisplayName("A70 What somebody blacklisted stays so when the route to it goes")
  void namedStays() {
    Cidr network = Cidr.parse("10.0.0.0/28");
    present(route("10.0.0.0/28"));
    legacy.reserveLocalRoutes();
    legacy.blacklistIpNet(network, "admin");
    legacy.reserveLocalRoutes();
    assertThat(denial(legacy.allocateIp(V4, "a"))).isEqualTo(Denial.excluded(V4, POOL, "admin"));
    present();
    legacy.reserveLocalRoutes();
    assertThat(denial(legacy.allocateIp(V4, "a"))).isEqualTo(Denial.excluded(V4, POOL, "admin"));
    assertThat(legacy.blacklist().all()).containsExactly(new IpNetWithOwner(network, "admin"));
  }

  @Test
  @DisplayName("One family or both are asked for by their words; another word is refused")
  void families() {
    assertThat(ips(legacy.allocateNext("", "a"))).containsExactly("10.0.0.1", "fd00::1");
    assertThat(ips(legacy.allocateNext("ipv4", "a"))).containsExactly("10.0.0.2");
    PairAllocation ipv6 = legacy.allocateNext("ipv6", "a");
    assertThat(ips(ipv6)).containsExactly("fd00::2");
    assertThat(((PairAllocation.Granted) ipv6).ipv4()).isEmpty();
    assertThat(denial(legacy.allocateNext("ipv5", "a"))).isEqualTo(Denial.unknownFamily("ipv5"));
    assertThat(legacy.allocateNextFamily(IpFamily.IPV6, "a"))
        .isInstanceOf(Allocation.Granted.class);
    assertThat(denial(legacy.allocateIpString("x", "a"))).isEqualTo(Denial.invalidAddress("x"));
    LegacyIpam none =
        new LegacyIpam(Ipam.builder(time, new Random(1)).build(), POOL, RouteSource.NONE);
    assertThat(denial(none.allocateNext("ipv4", "a")))
        .isEqualTo(Denial.familyUnavailable(IpFamily.IPV4));
  }

  @Test
  @DisplayName("An address with a timer is released unless the timer is stopped by its id")
  void expiration() {
    Duration minute = Duration.ofMinutes(1);
    List<AllocationResult> leased = results(legacy.allocateNextWithExpiration("ipv4", "a", minute));
    UUID id = leased.get(0).lease().orElseThrow().id();
    IpAddress ip = leased.get(0).ip();
    assertThat(legacy.startExpirationTimer(ip, minute))
        .isEqualTo(new Lease.Start.Refused(Denial.leaseExists(ip, POOL)));
    assertThat(legacy.stopExpirationTimer(ip, new UUID(0, 0)))
        .contains(Denial.leaseMismatch(ip, POOL, new UUID(0, 0)));
    assertThat(legacy.stopExpirationTimer(ip, id)).isEmpty();
    assertThat(results(legacy.allocateNextWithExpiration("", "b", minute))).hasSize(2);
    assertThat(results(legacy.allocateNextWithExpiration("ipv6", "c", Duration.ZERO)))
        .allMatch(each -> each.lease().isEmpty());

    time.runUntil(minute.toNanos());
    assertThat(legacy.dump().ipv4()).containsExactly(Map.entry(ip.toString(), "a"));
    assertThat(legacy.dump().ipv6()).containsValue("c").hasSize(1);
    assertThat(legacy.debugStatus()).hasSize(2);
  }
}
