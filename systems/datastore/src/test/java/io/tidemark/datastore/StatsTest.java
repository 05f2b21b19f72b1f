package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Numbers and lists")
class StatsTest {
  private static final CooldownRule SECOND =
      new CooldownRule(Duration.ofSeconds(1), Duration.ofSeconds(1));

  private static void coolAndEnd(TestStore node, long total, int prefixes) {
    node.assign("a");
    node.assign("b");
    assertThat(node.stats()).isEqualTo(new DatastoreStats(total, prefixes, 2, 0));
    node.release("a");
    assertThat(node.stats()).isEqualTo(new DatastoreStats(total, prefixes, 1, 1));
    node.pass(Duration.ofMillis(1001));
    assertThat(node.stats()).isEqualTo(new DatastoreStats(total, prefixes, 1, 0));
  }

  @Test
  @DisplayName("D43 D44 Assigned and cooling addresses are counted, also of prefixes")
  void cooling() {
    TestStore addresses = TestStore.of(CidrKind.SECONDARY, SECOND);
    coolAndEnd(addresses.with("eni-1", 1, "10.0.0.1", "10.0.0.2"), 2, 0);
    coolAndEnd(TestStore.of(CidrKind.PREFIX, SECOND).with("eni-1", 1, "10.0.0.0/28"), 16, 1);
  }

  @Test
  @DisplayName("D45 A /80 counts with all its addresses; several of the largest saturate")
  void ipv6() {
    TestStore node = TestStore.prefixes().with("eni-0", 0, "2001:db8::/80");
    node.assign6("a");
    assertThat(node.store.view().stats(IpFamily.IPV6))
        .isEqualTo(new DatastoreStats(281_474_976_710_656L, 1, 1, 0));
    assertThat(node.stats()).isEqualTo(DatastoreStats.NONE);
    assertThat(node.add("eni-0", "2001:db9::/64")).isEmpty();
    assertThat(node.store.view().stats(IpFamily.IPV6).total()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  @DisplayName("D46 Excluded interfaces count nothing")
  void excluded() {
    TestStore node =
        TestStore.addresses()
            .with("eni-0", 0, "10.0.0.1", "10.0.0.2", "10.0.0.3")
            .with("eni-1", 1, "10.0.1.1", "10.0.1.2");
    assertThat(node.store.exclude("eni-0", true)).isEmpty();
    assertThat(node.stats()).isEqualTo(new DatastoreStats(2, 0, 0, 0));
    assertThat(node.stats().available()).isEqualTo(2);
  }

  private static List<String> returnable(TestStore node, IpFamily family, CidrKind kind) {
    ReturnTicket ticket = node.store.reserveForReturn(family, kind, 100);
    List<String> all =
        ticket.parts().stream().map(each -> each.cidr().orElseThrow().toString()).toList();
    ticket.rollback();
    return all;
  }

  @Test
  @DisplayName("D47 Addresses can be given back while no pod has them and they do not cool")
  void freeable() {
    TestStore node = TestStore.addresses().with("eni-1", 1, "10.0.0.1", "10.0.0.2", "10.0.1.0/28");
    assertThat(returnable(node, IpFamily.IPV4, CidrKind.SECONDARY))
        .containsExactly("10.0.0.1/32", "10.0.0.2/32");
    node.assign("a");
    assertThat(returnable(node, IpFamily.IPV4, CidrKind.SECONDARY)).containsExactly("10.0.0.2/32");
    node.release("a");
    assertThat(returnable(node, IpFamily.IPV4, CidrKind.SECONDARY)).containsExactly("10.0.0.2/32");
    node.passCooldown();
    assertThat(returnable(node, IpFamily.IPV4, CidrKind.SECONDARY)).hasSize(2);
  }

  @Test
  @DisplayName("D48 D49 Prefixes of both families can be given back while they are whole")
  void freeablePrefixes() {
    TestStore node =
        TestStore.prefixes()
            .with("eni-1", 1, "10.0.0.0/28", "10.0.0.16/28", "10.0.1.1")
            .with("eni-2", 2, "2001:db8::/80", "2001:db8:0:0:1::/80");
    assertThat(returnable(node, IpFamily.IPV4, CidrKind.PREFIX)).hasSize(2);
    assertThat(returnable(node, IpFamily.IPV6, CidrKind.PREFIX)).hasSize(2);
    node.assign("a");
    node.assign6("b");
    assertThat(returnable(node, IpFamily.IPV4, CidrKind.PREFIX)).containsExactly("10.0.0.16/28");
    assertThat(returnable(node, IpFamily.IPV6, CidrKind.PREFIX))
        .containsExactly("2001:db8:0:0:1::/80");
    assertThat(node.store.view().enis().get(0).cidrs())
        .filteredOn(PoolView.CidrView::isWhole)
        .hasSize(2);
  }

  @Test
  @DisplayName("D52 The text of the numbers begins with the total")
  void text() {
    assertThat(new DatastoreStats(16, 1, 2, 3))
        .hasToString("Total IPs/Prefixes = 16/1, AssignedIPs/CooldownIPs: 2/3");
  }
}
