package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Secondary addresses and prefixes")
class CidrTest {
  private static final long BLOCK = 1L << 48;

  private static String text(Optional<StoreRefusal> refusal) {
    return refusal.orElseThrow().text();
  }

  @Test
  @DisplayName("D12 An address is added once, to an interface that is here")
  void addresses() {
    TestStore node = TestStore.addresses().with("eni-1", 1).with("eni-2", 2);
    assertThat(node.add("eni-1", "1.1.1.1")).isEmpty();
    assertThat(node.total()).isEqualTo(1);
    assertThat(text(node.add("eni-1", "1.1.1.1"))).isEqualTo("datastore: IP already in data store");
    assertThat(node.total()).isEqualTo(1);
    assertThat(node.add("eni-1", "1.1.1.2")).isEmpty();
    assertThat(node.add("eni-2", "1.1.2.2")).isEmpty();
    assertThat(text(node.add("eni-9", "1.1.2.3")))
        .isEqualTo("add ENI's IP to datastore: unknown ENI");
    assertThat(node.total()).isEqualTo(3);
  }

  @Test
  @DisplayName("D13 A prefix counts with all its addresses; a refused one counts nothing")
  void prefixes() {
    TestStore node = TestStore.prefixes().with("eni-1", 1).with("eni-2", 2);
    assertThat(node.add("eni-1", "10.0.0.0/28")).isEmpty();
    assertThat(node.total()).isEqualTo(16);
    assertThat(node.add("eni-1", "10.0.0.0/28")).isPresent();
    assertThat(node.add("eni-1", "10.0.0.16/28")).isEmpty();
    assertThat(node.add("eni-2", "10.0.0.32/28")).isEmpty();
    assertThat(node.add("eni-9", "10.0.0.48/28")).isPresent();
    assertThat(node.stats()).isEqualTo(new DatastoreStats(48, 3, 0, 0));
  }

  @Test
  @DisplayName("D14 The view lists what each interface has, in the order of addresses")
  void listed() {
    TestStore node = TestStore.addresses().with("eni-1", 1, "10.0.0.9", "10.0.0.7", "10.0.1.0/28");
    assertThat(node.store.view().enis().get(0).cidrs())
        .extracting(each -> each.cidr() + " " + each.kind())
        .containsExactly("10.0.0.7/32 SECONDARY", "10.0.0.9/32 SECONDARY", "10.0.1.0/28 PREFIX");
  }

  @Test
  @DisplayName("D15 D07 An address leaves when no pod uses it, or by force")
  void removed() {
    TestStore node =
        TestStore.addresses().with("eni-1", 1, "1.1.1.1", "1.1.1.2", "1.1.1.3").with("eni-2", 2);
    assertThat(node.ip("a")).isEqualTo("1.1.1.1");
    assertThat(node.remove("eni-1", "1.1.1.3", Removal.UNUSED_ONLY)).isEmpty();
    assertThat(node.total()).isEqualTo(2);
    for (Removal removal : Removal.values()) {
      assertThat(text(node.remove("eni-1", "1.1.1.3", removal))).isEqualTo("datastore: unknown IP");
      assertThat(text(node.remove("eni-9", "1.1.1.1", removal)))
          .isEqualTo("datastore: unknown ENI");
      assertThat(text(node.remove("eni-2", "1.1.1.2", removal)))
          .as("that of another interface")
          .isEqualTo("datastore: unknown IP");
    }
    assertThat(text(node.remove("eni-1", "1.1.1.1", Removal.UNUSED_ONLY)))
        .isEqualTo("datastore: IP is used and can not be deleted");
    assertThat(node.total()).isEqualTo(2);
    assertThat(node.store.counters().forceRemovedAddresses()).isZero();
    assertThat(node.remove("eni-1", "1.1.1.1", Removal.FORCED)).isEmpty();
    assertThat(node.total()).isEqualTo(1);
    assertThat(node.store.counters()).isEqualTo(new StoreCounters(0, 0, 1, 0));
  }

  @Test
  @DisplayName("D16 DI4 A prefix leaves as a whole; one pod of it keeps it")
  void removedPrefix() {
    TestStore node = TestStore.prefixes().with("eni-1", 1, "10.0.0.0/28", "10.0.0.16/28");
    node.assign("a");
    assertThat(node.remove("eni-1", "10.0.0.16/28", Removal.UNUSED_ONLY)).isEmpty();
    assertThat(node.total()).isEqualTo(16);
    assertThat(text(node.remove("eni-1", "10.0.0.16/28", Removal.FORCED)))
        .isEqualTo("datastore: unknown IP");
    assertThat(node.remove("eni-1", "10.0.0.0/28", Removal.UNUSED_ONLY)).isPresent();
    assertThat(node.stats()).isEqualTo(new DatastoreStats(16, 1, 1, 0));
    assertThat(node.remove("eni-1", "10.0.0.0/28", Removal.FORCED)).isEmpty();
    assertThat(node.total()).isZero();
    assertThat(node.assigned()).isZero();
  }

  @Test
  @DisplayName("D17 After a change of the mode what is left of the other one is not assigned")
  void modes() {
    TestStore node = TestStore.prefixes().with("eni-1", 1, "1.1.1.1");
    assertThat(node.none("a")).isEqualTo(AssignOutcome.Reason.WRONG_MODE);
    assertThat(node.add("eni-1", "10.0.0.0/28")).isEmpty();
    assertThat(node.total()).isEqualTo(17);
    assertThat(node.ip("a")).isEqualTo("10.0.0.0");
    assertThat(node.remove("eni-1", "1.1.1.1", Removal.FORCED)).isEmpty();
    assertThat(node.total()).isEqualTo(16);

    TestStore back = TestStore.addresses().with("eni-1", 1, "10.0.0.0/28");
    assertThat(back.add("eni-1", "1.1.1.1")).isEmpty();
    assertThat(back.total()).isEqualTo(17);
    assertThat(back.ip("a")).isEqualTo("1.1.1.1");
    assertThat(back.remove("eni-1", "10.0.0.0/28", Removal.FORCED)).isEmpty();
    assertThat(back.total()).isEqualTo(1);
  }

  @Test
  @DisplayName("D18 D125 An IPv6 prefix counts with 2^48 addresses, of which pods use the first")
  void ipv6() {
    TestStore node = TestStore.prefixes().with("eni-0", 0, "2001:db8::/80", "2001:db8:0:0:1::/80");
    assertThat(node.total()).isEqualTo(2 * BLOCK);
    assertThat(node.assign6("a").address()).hasToString("2001:db8::");
    assertThat(text(node.remove("eni-0", "2001:db8:0:0:2::/80", Removal.FORCED)))
        .contains("unknown IP");
    assertThat(text(node.remove("eni-9", "2001:db8::/80", Removal.FORCED))).contains("unknown ENI");
    assertThat(node.remove("eni-0", "2001:db8:0:0:1::/80", Removal.UNUSED_ONLY)).isEmpty();
    assertThat(node.total()).isEqualTo(BLOCK);
    assertThat(text(node.remove("eni-0", "2001:db8::/80", Removal.UNUSED_ONLY)))
        .contains("is used");
    assertThat(node.remove("eni-0", "2001:db8::/80", Removal.FORCED)).isEmpty();
    assertThat(node.total()).isZero();
  }

  @Test
  @DisplayName("D19 D20 What another interface has, or overlaps, is refused with its name")
  void overlaps() {
    TestStore node = TestStore.prefixes().with("eni-1", 1, "10.0.0.16/28").with("eni-2", 2);
    for (String text : List.of("10.0.0.16/28", "10.0.0.0/27", "10.0.0.20/30", "10.0.0.31")) {
      StoreRefusal refusal = node.add("eni-2", text).orElseThrow();
      assertThat(refusal.code()).isEqualTo(DatastoreError.ADDRESS_DUPLICATE);
      assertThat(refusal.detail()).contains("eni-1", "10.0.0.16/28");
    }
    assertThat(node.add("eni-2", "10.0.0.15")).isEmpty();
    assertThat(node.add("eni-2", "10.0.0.32/28")).isEmpty();
    assertThat(Cidr.containing(IpAddress.parse("10.0.0.5"), 28)).hasToString("10.0.0.0/28");
    assertThatThrownBy(
            () -> node.store.addCidr("eni-2", Cidr.parse("10.1.0.0/28"), CidrKind.SECONDARY))
        .hasMessage("10.1.0.0/28 is not a single address");
  }

  @Test
  @DisplayName("An address that comes back after a forced removal belongs to its sandbox again")
  void back() {
    TestStore node = TestStore.addresses().with("eni-1", 1, "10.0.0.7");
    Assignment had = node.assign("a");
    assertThat(node.remove("eni-1", "10.0.0.7", Removal.FORCED)).isEmpty();
    assertThat(node.store.orphans()).hasSize(1);
    assertThat(node.add("eni-1", "10.0.0.7")).isEmpty();

    assertThat(node.store.orphans()).isEmpty();
    assertThat(node.assign("a")).isEqualTo(had);
    node.pass(Duration.ofSeconds(1));
    assertThat(node.addressesInFile()).containsExactly("10.0.0.7");
    assertThat(node.stats()).isEqualTo(new DatastoreStats(1, 0, 1, 0));
  }

  @Test
  @DisplayName("DI1 An address that left while it cooled and is assigned again stays assigned")
  void coolingBackInUse() {
    TestStore node = TestStore.addresses().with("eni-1", 1, "10.0.0.7");
    node.assign("a");
    node.release("a");
    assertThat(node.remove("eni-1", "10.0.0.7", Removal.UNUSED_ONLY)).isEmpty();
    assertThat(node.add("eni-1", "10.0.0.7")).isEmpty();
    node.store.growable(false);
    node.pass(Duration.ofSeconds(40));
    assertThat(node.ip("b")).isEqualTo("10.0.0.7");
    node.passCooldown();
    assertThat(node.none("c")).isEqualTo(AssignOutcome.Reason.ALL_ASSIGNED);
    assertThat(node.assigned()).isEqualTo(1);
  }

  @Test
  @DisplayName("DI7 An address that cools and comes back cools for the rest of its time")
  void coolingBack() {
    TestStore node = TestStore.addresses().with("eni-1", 1, "10.0.0.7");
    node.assign("a");
    node.release("a");
    node.pass(Duration.ofSeconds(100));
    assertThat(node.remove("eni-1", "10.0.0.7", Removal.UNUSED_ONLY)).isEmpty();
    assertThat(node.add("eni-1", "10.0.0.7")).isEmpty();
    assertThat(node.none("b")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    node.pass(Duration.ofSeconds(31));
    assertThat(node.ip("b")).isEqualTo("10.0.0.7");
  }

  @Test
  @DisplayName("D125 Of a /80 as many addresses as a node can ever need are assigned")
  void window() {
    StorePool pool = new StorePool(CidrKind.PREFIX, CooldownRule.DEFAULT);
    EniState eni = pool.blocks.addEni(TestStore.eni("eni-0", 0), 0);
    CidrState block = pool.addCidr(eni, Cidr.parse("2001:db8::/80"), CidrKind.PREFIX, 0);
    block.addresses.allocateRange(0, CidrState.WINDOW - 1);
    pool.blocks.refresh(block);
    assertThat(pool.next(IpFamily.IPV6, 0)).contains(IpAddress.parse("2001:db8::ffff"));
    block.addresses.allocate(CidrState.WINDOW - 1);
    pool.blocks.refresh(block);
    assertThat(pool.next(IpFamily.IPV6, 0)).isEmpty();
  }
}
