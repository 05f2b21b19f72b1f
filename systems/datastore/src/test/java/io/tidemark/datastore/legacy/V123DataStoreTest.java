package io.tidemark.datastore.legacy;

import static io.tidemark.datastore.legacy.FacadeTime.key;
import static io.tidemark.datastore.legacy.FacadeTime.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DatastoreStats;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.datastore.checkpoint.TestCheckpoint;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The facade of the AWS VPC CNI 1.23 (eni-datastore 1-6)")
class V123DataStoreTest {
  private static final IpamMetadata POD = new IpamMetadata("default", "p", 1);
  private static final Cidr PREFIX = Cidr.parse("10.0.0.0/28");
  private static final Cidr OTHER = Cidr.parse("10.0.0.16/28");
  private static final Cidr IPV6 = Cidr.parse("2001:db8::/80");
  private static final Cidr SINGLE = Cidr.parse("10.0.1.1/32");

  private final FacadeTime time = new FacadeTime();
  private final TestCheckpoint file = TestCheckpoint.empty();

  private static StoreEniSpec eni(String id, int device, boolean trunk, boolean efa) {
    return new StoreEniSpec(id, device, device == 0, trunk, efa, device + 1, "subnet-1");
  }

  private V123DataStore node(boolean prefixes) {
    V123DataStore made = new V123DataStore(time.time, time.effects, file, prefixes, "");
    assertThat(made.addEni(eni("eni-0", 0, false, false))).isEmpty();
    assertThat(made.addEni(eni("eni-1", 1, false, false))).isEmpty();
    assertThat(made.addEni(eni("eni-2", 2, false, true))).isEmpty();
    assertThat(made.addEni(eni("eni-3", 3, true, false))).isEmpty();
    assertThat(made.addIpv4CidrToStore("eni-0", PREFIX, true)).isEmpty();
    assertThat(made.addIpv4CidrToStore("eni-1", OTHER, true)).isEmpty();
    assertThat(made.addIpv4CidrToStore("eni-1", SINGLE, false)).isEmpty();
    assertThat(made.addIpv6CidrToStore("eni-0", IPV6, true)).isEmpty();
    assertThat(time.ended(made.readBackingStore(false))).isEmpty();
    return made;
  }

  @Test
  @DisplayName("D39 With both families IPv4 is assigned, with neither the request is refused")
  void families() {
    V123DataStore node = node(true);
    assertThatThrownBy(() -> node.assignPodIpAddress(key("a"), POD, false, false))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(time.assigned(node.assignPodIpAddress(key("a"), POD, true, true)))
        .isEqualTo("10.0.0.0");
    assertThat(time.assigned(node.assignPodIpAddress(key("b"), POD, false, true)))
        .isEqualTo("2001:db8::");
    assertThat(time.assigned(node(false).assignPodIpv6Address(key("c"), POD)))
        .isEqualTo("PD is not enabled. V6 is only supported in PD mode");
  }

  @Test
  @DisplayName("Unused addresses and unused prefixes are counted apart")
  void freeable() {
    V123DataStore node = node(true);
    assertThat(time.assigned(node.assignPodIpv4Address(key("a"), POD))).isEqualTo("10.0.0.0");
    assertThat(node.freeableIps("eni-1")).containsExactly("10.0.1.1");
    assertThat(node.freeablePrefixes("eni-0")).containsExactly(IPV6);
    assertThat(node.freeablePrefixes("eni-9")).isEmpty();
    assertThat(node.findFreeableCidrs("eni-1")).containsExactly(OTHER, SINGLE);
    assertThat(node.getFreePrefixes()).isEqualTo(1);
    assertThat(node.getIpStats(IpFamily.IPV4)).isEqualTo(new DatastoreStats(32, 2, 1, 0));
    assertThat(node.allocatedIps()).containsExactly(new PodIpInfo(key("a"), "10.0.0.0", 0));
    assertThat(text(node.delIpv4CidrFromStore("eni-0", PREFIX, false)))
        .isEqualTo("datastore: IP is used and can not be deleted");
    assertThat(node.delIpv6CidrFromStore("eni-0", IPV6, false)).isEmpty();
    assertThat(time.released(node.unassignPodIpAddress(key("a")))).isEqualTo("10.0.0.0");
    assertThat(node.delIpv4CidrFromStore("eni-0", PREFIX, false)).isEmpty();
    assertThat(node.getIpStats(IpFamily.IPV4)).isEqualTo(new DatastoreStats(16, 1, 0, 0));
    assertThatThrownBy(() -> node.addIpv4CidrToStore("eni-0", IPV6, true))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("D65 An excluded interface gives no addresses; one that is not here is not excluded")
  void excluded() {
    V123DataStore node = node(true);
    assertThat(node.isEniExcludedForPodIps("eni-0")).isFalse();
    assertThat(node.setEniExcludedForPodIps("eni-0", true)).isEmpty();
    assertThat(node.isEniExcludedForPodIps("eni-0")).isTrue();
    assertThat(node.isEniExcludedForPodIps("eni-9")).isFalse();
    assertThat(text(node.setEniExcludedForPodIps("eni-9", true)))
        .isEqualTo("datastore: unknown ENI");
    assertThat(time.assigned(node.assignPodIpv4Address(key("a"), POD))).isEqualTo("10.0.0.16");
    assertThat(node.setEniExcludedForPodIps("eni-0", false)).isEmpty();
    assertThat(time.assigned(node.assignPodIpv4Address(key("b"), POD))).isNotEmpty();
  }

  @Test
  @DisplayName("Interfaces of each kind are listed")
  void kinds() {
    V123DataStore node = node(true);
    assertThat(node.getEnis()).isEqualTo(4);
    assertThat(node.getTrunkEni()).isEqualTo("eni-3");
    assertThat(node.getEfaEnis()).containsExactly("eni-2");
    assertThat(node.getAllocatableEnis(2, false))
        .extracting(StoreEniSpec::id)
        .as("one with two blocks is full, and a trunk never has any")
        .containsExactly("eni-2");
    assertThat(node.getAllocatableEnis(3, true))
        .extracting(StoreEniSpec::id)
        .containsExactly("eni-1", "eni-2");
  }

  @Test
  @DisplayName("An interface that could go is found at once, and goes after a minute")
  void removeUnused() {
    V123DataStore node = node(true);
    assertThat(node.checkFreeableEniExists()).isTrue();
    OptionalInt none = OptionalInt.empty();
    assertThat(node.removeUnusedEniFromStore(none, none, 0)).isEmpty();
    time.pass(Duration.ofMinutes(1));
    assertThat(node.removeUnusedEniFromStore(none, none, 2)).as("a prefix is needed").isEmpty();
    assertThat(node.removeUnusedEniFromStore(OptionalInt.of(17), none, 0)).isEmpty();
    assertThat(node.removeUnusedEniFromStore(none, none, 1)).isEqualTo("eni-1");
    assertThat(node.checkFreeableEniExists()).as("only primary, trunk and EFA are left").isFalse();
    assertThat(node.removeEniFromDataStore("eni-0", false)).isEmpty();
  }

  @Test
  @DisplayName("A store that starts again has the assignments of the last one, IPv6 with the flag")
  void restored() {
    V123DataStore first = node(true);
    assertThat(time.assigned(first.assignPodIpv6Address(key("a"), POD))).isEqualTo("2001:db8::");
    V123DataStore next = new V123DataStore(time.time, time.effects, file, true, "");
    assertThat(next.addEni(eni("eni-0", 0, false, false))).isEmpty();
    assertThat(next.addIpv6CidrToStore("eni-0", IPV6, true)).isEmpty();
    assertThat(time.ended(next.readBackingStore(true))).isEmpty();
    assertThat(next.getEniInfos().assignedIps()).isEqualTo(1);
    assertThat(time.assigned(next.assignPodIpv6Address(key("b"), POD))).isEqualTo("2001:db8::1");
  }

  @ParameterizedTest(name = "D35 IP_COOLDOWN_PERIOD {0}: {1} seconds")
  @CsvSource({"'', 30", "1, 1", "x, 30", "0, 0", "1.5, 30"})
  void cooldown(String variable, int seconds) {
    assertThat(CooldownRule.parseUpstream(variable).period())
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  @DisplayName("D35 A negative IP_COOLDOWN_PERIOD is refused")
  void negativeCooldown() {
    assertThatThrownBy(() -> new V123DataStore(time.time, time.effects, file, false, "-5"))
        .hasMessage("ip-cooldown is PT-5S; expected 0 to 1 hour");
  }
}
