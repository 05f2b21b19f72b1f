package io.tidemark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.agent.PoolSnapshot.HeldAddress;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is allocated, for people")
class DumpTest {
  @Test
  @DisplayName("A01 Every key of a dump is an address, and its status says how full the ranges are")
  void dump() {
    TestNode node = TestNode.hostScope("10.0.0.0/24", "f00d::/64");
    node.take("10.0.0.200", "default/a");
    node.take("10.0.0.3", "default/b");
    node.exclude("10.0.0.1", "router");
    node.exclude("192.168.0.0/16", "elsewhere");
    node.take("f00d::a", "default/a");
    IpamDump dump = node.ipam.dump();
    assertThat(dump.ipv4())
        .containsExactly(
            Map.entry("10.0.0.1", "router"),
            Map.entry("10.0.0.3", "default/b"),
            Map.entry("10.0.0.200", "default/a"));
    assertThat(dump.ipv6()).containsExactly(Map.entry("f00d::a", "default/a"));
    assertThat(dump.ipv4().keySet()).allMatch(key -> IpAddress.tryParse(key).isPresent());
    assertThat(dump.status())
        .isEqualTo(
            "IPv4: 2/253 allocated from 10.0.0.0/24, IPv6: 1/65534 allocated from f00d::/64");
  }

  @Test
  @DisplayName("A01 The status names only the families that are enabled")
  void oneFamily() {
    assertThat(TestNode.hostScope("f00d::/120").ipam.dump().status())
        .isEqualTo("IPv6: 0/254 allocated from f00d::/120");
    IpamDump none = TestNode.hostScope().ipam.dump();
    assertThat(none).isEqualTo(new IpamDump(Map.of(), Map.of(), "Not running"));
  }

  @Test
  @DisplayName("A24 The address of another pool than the default is listed with its pool")
  void otherPool() {
    PoolName blue = new PoolName("blue");
    TestNode node =
        TestNode.with(
            builder ->
                builder
                    .pool(TestNode.DEFAULT, TestNode.range("10.0.0.0/24"))
                    .pool(blue, TestNode.range("10.1.0.0/24")));
    node.take("10.0.0.1", "a");
    TestNode.granted(node.ipam.allocate("10.1.0.1", "b", blue, UpstreamSync.NOW));
    IpamDump dump = node.ipam.dump();
    assertThat(dump.ipv4())
        .containsExactly(Map.entry("10.0.0.1", "a"), Map.entry("blue/10.1.0.1", "b"));
    assertThat(dump.status())
        .isEqualTo("IPv4: 1/254 allocated from 10.0.0.0/24; blue 1/254 allocated from 10.1.0.0/24");
  }

  @Test
  @DisplayName("A35 A block that begins with a zero byte is listed as it is written")
  void zeroByte() {
    TestNode node = TestNode.hostScope("64:ff9b::/96");
    assertThat(node.next(IpFamily.IPV6, "a").ip()).hasToString("64:ff9b::1");
    node.take("64:ff9b::ab", "b");
    assertThat(node.ipam.dump().ipv6())
        .containsExactly(Map.entry("64:ff9b::1", "a"), Map.entry("64:ff9b::ab", "b"));
    assertThat(node.ipam.dump().status()).endsWith("2/65534 allocated from 64:ff9b::/96");
  }

  @Test
  @DisplayName(
      "A snapshot has each address that is not free, with its lease, and every reservation")
  void snapshot() {
    TestNode node = TestNode.cooling(Duration.ofMinutes(1), Duration.ZERO, "10.0.0.0/29");
    node.take("10.0.0.1", "a");
    Lease lease = node.lease("10.0.0.1", Duration.ofMinutes(1));
    node.take("10.0.0.2", "b");
    node.release("10.0.0.2");
    node.exclude("10.0.0.6/31", "router");
    assertThat(node.ipam.snapshot())
        .singleElement()
        .satisfies(
            pool -> {
              assertThat(pool.held())
                  .containsExactly(
                      held("10.0.0.1", Held.IN_USE, "a", Optional.of(lease)),
                      held("10.0.0.2", Held.COOLING, "cooling", Optional.empty()),
                      held("10.0.0.6", Held.EXCLUDED, "router", Optional.empty()));
              assertThat(pool.exclusions())
                  .containsExactly(Map.entry(TestNode.block("10.0.0.6/31"), "router"));
            });
  }

  private static HeldAddress held(String ip, Held state, String owner, Optional<Lease> lease) {
    return new HeldAddress(IpAddress.parse(ip), state, owner, lease.map(Lease::id));
  }
}
