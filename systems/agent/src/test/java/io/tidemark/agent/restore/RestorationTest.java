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
import org.junit.jupiter.params.provider.ValueSource;

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
        return Denial.notAvailableInPool(ip);
      }
    };
  }

  private final Restoration restoration = new Restoration(ipam, POOL);

  private Optional<Denial> known(String ip) {
    return restoration.known("team/a", IpAddress.parse(ip), PoolName.NOT_GIVEN);
  }

  private static Optional<IpAddress> ip(String text) {
    return text.equals("-") ? Optional.empty() : Optional.of(IpAddress.parse(text));
  }

  /** The node's note, its object's content, the restored state; a dash stands for nothing. */
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
    Allocation router = restoration.own("router", IpFamily.IPV4, ip(noted), ip(published));

    assertThat(router).as(why).isInstanceOf(Allocation.Granted.class);
    assertThat(ipam.dump().ipv4()).containsExactly(Map.entry(expected, "router"));
  }

  @Test
  @DisplayName("A64 The address of an endpoint is not given to the node")
  void endpointsFirst() {
    assertThat(known("10.0.0.1")).isEmpty();
    restoration.own("router", IpFamily.IPV4, ip("10.0.0.1"), ip("10.0.0.1"));

    assertThat(ipam.dump().ipv4())
        .containsExactly(Map.entry("10.0.0.1", "team/a"), Map.entry("10.0.0.5", "router"));
  }

  @Test
  @DisplayName("A66 An endpoint keeps its addresses, and nothing is published before the end")
  void endpoint() {
    assertThat(known("10.0.0.1")).isEmpty();
    assertThat(known("fd00::1")).isEmpty();
    assertThat(ipam.ownerOf(IpAddress.parse("10.0.0.1"), POOL)).contains("team/a");
    assertThat(ipam.ownerOf(IpAddress.parse("fd00::1"), POOL)).contains("team/a");
    assertThat(published).isEmpty();
    restoration.finished();
    restoration.finished();
    assertThat(published).containsExactlyInAnyOrder("restored IPv4", "restored IPv6");
  }

  @ParameterizedTest(name = "A66 it keeps {0}, which its pool does not list")
  @ValueSource(strings = {"10.9.0.1", "fd99::1", "::ffff:10.9.0.1"})
  void missing(String ip) {
    assertThat(known(ip)).isEmpty();

    IpAddress kept = IpAddress.parse(ip);
    assertThat(ipam.ownerOf(kept, POOL)).contains("team/a");
    assertThat(ipam.allocate(kept, "other", POOL, UpstreamSync.DEFER))
        .isEqualTo(new Allocation.Denied(Denial.alreadyAllocated(kept.unmapped(), "team/a")));
  }

  @Test
  @DisplayName("A66 An address that another has is refused; the endpoint keeps its other one")
  void refused() {
    IpAddress taken = IpAddress.parse("10.0.0.1");
    ipam.allocate(taken, "other", POOL, UpstreamSync.DEFER);
    assertThat(known("10.0.0.1"))
        .contains(Denial.notRestored("team/a", Denial.alreadyAllocated(taken, "other")));
    assertThat(known("fd00::1")).isEmpty();
    assertThat(ipam.dump().ipv4()).containsExactly(Map.entry("10.0.0.1", "other"));
    assertThat(ipam.ownerOf(IpAddress.parse("fd00::1"), POOL)).contains("team/a");
  }
}
