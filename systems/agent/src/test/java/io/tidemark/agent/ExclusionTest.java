package io.tidemark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Reserved addresses")
class ExclusionTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A09 A reserved address is refused in the name of who reserved it \
            | range 0/24; exclude 7 router; \
              why 7 = EXCLUDED: 10.0.0.7 of pool default is reserved by router; release 7; \
              why 7 = EXCLUDED: 10.0.0.7 of pool default is reserved by router; \
              exclude 7 health; why 7 = EXCLUDED: 10.0.0.7 of pool default is reserved by health
          A09 A reserved address of IPv6 is refused likewise \
            | range f00d::/64; exclude f00d::7 router; \
              why f00d::7 = EXCLUDED: f00d::7 of pool default is reserved by router; \
              release f00d::7; \
              why f00d::7 = EXCLUDED: f00d::7 of pool default is reserved by router; \
              exclude f00d::7 health; \
              why f00d::7 = EXCLUDED: f00d::7 of pool default is reserved by health
          A10 A reserved address is never handed out and counts as no capacity \
            | range 0/29; exclude 2 router; exclude 4/31 local-route; next a b c = 1 3 6; \
              counts = 0/3/0/3/0; \
              whyNext = EXHAUSTED, retryable: no IPv4 address of pool default is free: 3 in use, \
              0 cooling, 3 reserved by local-route, router
          A12 Reserving an address in use leaves it in use; it is reserved once it is released \
            | range 0/30; take 1 a; exclude 1 router; dump = 1:a; counts = 1/1/0/0/0; release 1; \
              dump = 1:router; next b c = 2 EXHAUSTED
          """)
  void story(String name, String story) {
    IpamStory.run(story);
  }

  @Test
  @DisplayName("A11 A reservation in one pool does not touch another")
  void otherPool() {
    PoolName a = new PoolName("a");
    PoolName b = new PoolName("b");
    TestNode node =
        TestNode.with(
            builder ->
                builder
                    .pool(a, TestNode.range("10.0.0.0/24"))
                    .pool(b, TestNode.range("10.0.0.0/24")));
    node.ipam.exclude(TestNode.block("10.0.0.1"), "router", a);
    assertThat(TestNode.denied(node.ipam.allocate("10.0.0.1", "x", a, UpstreamSync.NOW)).code())
        .isEqualTo(AgentError.EXCLUDED);
    assertThat(TestNode.granted(node.ipam.allocate("10.0.0.1", "x", b, UpstreamSync.NOW)).pool())
        .isEqualTo(b);
    node.ipam.exclude(TestNode.block("10.0.0.2"), "router", new PoolName("none"));
    node.ipam.include(TestNode.block("10.0.0.2"), new PoolName("none"));
  }

  @Test
  @DisplayName("A13 In a range that is reserved as a whole nothing is consumed by a request")
  void wholeRange() {
    TestNode node = TestNode.hostScope("10.0.0.0/16");
    node.exclude("10.0.0.0/8", "local route");
    for (int i = 0; i < 1000; i++) {
      assertThat(node.refusedNext())
          .isEqualTo(
              Denial.exhausted(
                  TestNode.DEFAULT,
                  IpFamily.IPV4,
                  new AddressCounts(0, 0, 0, 65_534),
                  List.of("local route")));
    }
    node.include("10.0.0.0/8");
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(65_534, 0, 0, 0));
  }

  @Test
  @DisplayName("Reserved addresses are looked up by the narrowest block, of any prefix length")
  void lookUp() {
    ExcludedAddresses excluded = new ExcludedAddresses();
    IpAddress ip = IpAddress.parse("10.1.2.3");
    assertThat(excluded.ownerOf(ip)).isNull();
    excluded.put(Cidr.parse("0.0.0.0/0"), "all");
    excluded.put(Cidr.parse("10.0.0.0/8"), "ten");
    excluded.put(Cidr.parse("10.1.2.3/32"), "one");
    excluded.put(Cidr.parse("10.1.0.0/16"), "other length");
    assertThat(excluded.ownerOf(ip)).isEqualTo("one");
    assertThat(excluded.remove(Cidr.parse("10.1.2.3/32"))).isTrue();
    assertThat(excluded.remove(Cidr.parse("10.1.2.3/32"))).isFalse();
    assertThat(excluded.ownerOf(ip)).isEqualTo("other length");
    assertThat(excluded.remove(Cidr.parse("10.1.0.0/16"))).isTrue();
    assertThat(excluded.ownerOf(ip)).isEqualTo("ten");
    assertThat(excluded.ownerOf(IpAddress.parse("11.0.0.0"))).isEqualTo("all");
    assertThat(excluded.allOwners()).containsExactly("all", "ten");
  }
}
