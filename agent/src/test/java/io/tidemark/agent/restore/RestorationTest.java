package io.tidemark.agent.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.Allocator;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Denial;
import io.tidemark.agent.ForwardingAllocator;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.Upstream;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.agent.restore.Endpoint.Address;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Addresses after a restart (allocators 9)")
class RestorationTest {
  private static final PoolName POOL = new PoolName("default");

  private final List<String> published = new ArrayList<>();
  private final Ipam ipam =
      Ipam.builder(new VirtualTime(0), new Random(1))
          .cooling(CoolingRule.OFF)
          .upstream(
              new Upstream() {
                @Override
                public void changed() {
                  published.add("changed");
                }

                @Override
                public void restoreFinished(IpFamily family) {
                  published.add("restored " + family);
                }
              })
          .allocator(listed("10.0.0.0/29"))
          .allocator(listed("fd00::/120"))
          .build();

  /** A block of addresses that the node's object lists: another address is not available. */
  private static Allocator listed(String block) {
    return new ForwardingAllocator(HostRange.of(Cidr.parse(block), 4)) {
      @Override
      public Denial refusal(IpAddress ip) {
        return new Denial.NotAvailableInPool(ip);
      }
    };
  }

  private Restoration restoration(boolean keepsMissing) {
    return new Restoration(ipam, POOL, keepsMissing);
  }

  private static Endpoint endpoint(String ipv4, String ipv6) {
    return new Endpoint("team/a", address(ipv4), address(ipv6));
  }

  private static Optional<Address> address(String ip) {
    return ip(ip).map(each -> new Address(each, PoolName.NOT_GIVEN));
  }

  private static Optional<IpAddress> ip(String text) {
    return text.equals("-") ? Optional.empty() : Optional.of(IpAddress.parse(text));
  }

  /** What the node noted, what its object says, what is restored; a dash stands for nothing. */
  @ParameterizedTest(name = "A64 {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "- | - | 10.0.0.5 | nothing is known, so any address is taken",
        "- | 10.0.0.2 | 10.0.0.2 | the object's alone",
        "10.0.0.1 | - | 10.0.0.1 | the noted one alone",
        "10.0.0.1 | 10.0.0.2 | 10.0.0.1 | of two the noted one",
        "10.9.0.1 | 10.9.0.2 | 10.0.0.5 | neither is the node's, so any address is taken",
        "10.0.0.1 | 10.9.0.2 | 10.0.0.1 | the object's is not the node's",
        "10.9.0.1 | 10.0.0.2 | 10.0.0.2 | the noted one is not the node's",
        "fd00::1 | 10.0.0.2 | 10.0.0.2 | the noted one is of the other family",
        "::ffff:10.0.0.1 | - | 10.0.0.1 | a mapped one is the IPv4 address",
      })
  void router(String noted, String published, String expected, String why) {
    Allocation router = restoration(false).own("router", IpFamily.IPV4, ip(noted), ip(published));

    assertThat(router).as(why).isInstanceOf(Allocation.Granted.class);
    assertThat(ipam.dump().ipv4()).containsExactly(Map.entry(expected, "router"));
  }

  @Test
  @DisplayName("A64 The address of an endpoint is not given to the node")
  void endpointsFirst() {
    assertThat(restoration(false).endpoint(endpoint("10.0.0.1", "-"))).isEmpty();
    Allocation unused =
        restoration(false).own("router", IpFamily.IPV4, ip("10.0.0.1"), ip("10.0.0.1"));

    assertThat(ipam.dump().ipv4())
        .containsExactly(
            Map.entry("10.0.0.1", "team/a [restored]"), Map.entry("10.0.0.5", "router"));
  }

  @Test
  @DisplayName("A66 An endpoint keeps both addresses, and nothing is published before the end")
  void endpoint() {
    Restoration restoration = restoration(false);
    assertThat(restoration.endpoint(endpoint("10.0.0.1", "fd00::1"))).isEmpty();
    assertThat(ipam.ownerOf(IpAddress.parse("10.0.0.1"), POOL)).contains("team/a [restored]");
    assertThat(ipam.ownerOf(IpAddress.parse("fd00::1"), POOL)).contains("team/a [restored]");
    assertThat(published).isEmpty();
    restoration.finished();
    restoration.finished();
    assertThat(published).containsExactlyInAnyOrder("restored IPv4", "restored IPv6");
  }

  @Test
  @DisplayName("A66 An endpoint whose IPv4 address is refused keeps no IPv6 address either")
  void halfEndpoint() {
    Denial missing = new Denial.NotAvailableInPool(IpAddress.parse("10.9.0.1"));
    assertThat(restoration(false).endpoint(endpoint("10.9.0.1", "fd00::1")))
        .contains(new Denial.NotRestored("team/a", missing));
    assertThat(ipam.ownerOf(IpAddress.parse("fd00::1"), POOL)).isEmpty();
  }

  @Test
  @DisplayName(
      "A66 With keepsMissing, an endpoint keeps an IPv4 address that its pool does not list")
  void keepsMissing() {
    assertThat(restoration(true).endpoint(endpoint("10.9.0.1", "fd00::1"))).isEmpty();
    assertThat(ipam.dump().ipv4()).isEmpty();
    assertThat(ipam.ownerOf(IpAddress.parse("fd00::1"), POOL)).contains("team/a [restored]");
    assertThat(restoration(true).endpoint(endpoint("::ffff:10.9.0.2", "-"))).isEmpty();
  }

  @Test
  @DisplayName("A66 Any other fault is one, also then: another's address, a missing IPv6 address")
  void otherFaults() {
    IpAddress taken = IpAddress.parse("10.0.0.1");
    Allocation unused = ipam.allocate(taken, "other", POOL, UpstreamSync.DEFER);
    assertThat(restoration(true).endpoint(endpoint("10.0.0.1", "fd00::1")))
        .contains(new Denial.NotRestored("team/a", new Denial.AlreadyAllocated(taken, "other")));
    assertThat(restoration(true).endpoint(endpoint("10.0.0.2", "fd99::1")))
        .contains(
            new Denial.NotRestored(
                "team/a", new Denial.NotAvailableInPool(IpAddress.parse("fd99::1"))));
    assertThat(ipam.dump().ipv4()).containsOnlyKeys("10.0.0.1");
    assertThat(ipam.dump().ipv6()).isEmpty();
  }
}
