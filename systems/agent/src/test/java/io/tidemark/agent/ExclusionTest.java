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
  @ParameterizedTest(name = "A09 {0} in {1}")
  @CsvSource({"10.0.0.7, 10.0.0.0/24", "f00d::7, f00d::/64"})
  @DisplayName("A09 A reserved address is refused in the name of who reserved it")
  void named(String ip, String range) {
    TestNode node = TestNode.hostScope(range);
    node.exclude(ip, "router");
    Denial denial = node.refused(ip);
    assertThat(denial.code()).isEqualTo(AgentError.EXCLUDED);
    assertThat(denial.detail()).contains(ip).contains("router").doesNotContain("refused");
    node.release(ip);
    assertThat(node.refused(ip)).isEqualTo(denial);
    node.exclude(ip, "health");
    assertThat(node.refused(ip).detail()).endsWith("health");
  }

  @Test
  @DisplayName("A10 A reserved address is never handed out and counts as no capacity")
  void skipped() {
    TestNode node = TestNode.hostScope("10.0.0.0/29");
    node.exclude("10.0.0.2", "router");
    node.exclude("10.0.0.4/31", "local route");
    assertThat(List.of(node.next("a"), node.next("b"), node.next("c")))
        .containsExactly("10.0.0.1", "10.0.0.3", "10.0.0.6");
    AddressCounts counts = node.counts("ipv4");
    assertThat(counts).isEqualTo(new AddressCounts(0, 3, 0, 3));
    assertThat(counts.capacity()).isEqualTo(3);
    assertThat(node.refusedNext().detail())
        .isEqualTo(
            "no IPv4 address of pool default is free: 3 in use, 0 cooling,"
                + " 3 reserved by local route, router");
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
  @DisplayName(
      "A12 Reserving an address in use leaves it in use; it is reserved once it is released")
  void inUse() {
    TestNode node = TestNode.hostScope("10.0.0.0/30");
    node.take("10.0.0.1", "a");
    node.exclude("10.0.0.1", "router");
    assertThat(node.ipam.dump().ipv4()).containsEntry("10.0.0.1", "a");
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(1, 1, 0, 0));
    node.release("10.0.0.1");
    assertThat(node.ipam.dump().ipv4()).containsEntry("10.0.0.1", "router");
    assertThat(node.next("b")).isEqualTo("10.0.0.2");
    assertThat(node.refusedNext().code()).isEqualTo(AgentError.EXHAUSTED);
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
