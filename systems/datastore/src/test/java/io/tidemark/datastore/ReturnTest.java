package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the cloud gets back")
class ReturnTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static TestStore old(TestStore node) {
    node.pass(MINUTE);
    return node;
  }

  private static CloudPart part(String eniId, String cidr) {
    return CloudPart.of(eniId, TestStore.cidr(cidr));
  }

  private static boolean isReservable(TestStore node, String eniId) {
    ReturnTicket ticket = node.store.reserveEni(eniId);
    ticket.rollback();
    return !ticket.parts().isEmpty();
  }

  @Test
  @DisplayName("D55 An interface is kept for a minute after it was added")
  void young() {
    TestStore node = TestStore.addresses().with("eni-1", 1);
    node.pass(MINUTE.minusMillis(1));
    assertThat(isReservable(node, "eni-1")).isFalse();
    node.pass(Duration.ofMillis(1));
    assertThat(isReservable(node, "eni-1")).isTrue();
  }

  @Test
  @DisplayName("D54 D56 D59 DI8 What is primary, trunk, EFA, in use or cooling is kept")
  void kept() {
    TestStore node =
        old(
            TestStore.prefixes()
                .with("eni-0", 0)
                .with(new StoreEniSpec("eni-t", 1, false, true, false, 2, ""))
                .with(new StoreEniSpec("eni-e", 2, false, false, true, 3, ""))
                .with("eni-6", 3, "2001:db8::/80")
                .with("eni-4", 4, "10.0.0.0/28"));
    for (String id : List.of("eni-0", "eni-t", "eni-e", "eni-9")) {
      assertThat(isReservable(node, id)).as(id).isFalse();
    }
    assertThat(isReservable(node, "eni-6")).isTrue();
    node.assign6("a");
    node.assign("b");
    assertThat(isReservable(node, "eni-6")).isFalse();
    assertThat(isReservable(node, "eni-4")).isFalse();
    node.release("a");
    node.release("b");
    assertThat(isReservable(node, "eni-6")).isFalse();
    node.passCooldown();
    assertThat(isReservable(node, "eni-6")).isTrue();
    assertThat(isReservable(node, "eni-4")).isTrue();
  }

  @Test
  @DisplayName(
      "D61 DI7 An interface about to be removed gives no address; refused by the cloud it does again")
  void draining() {
    TestStore node = old(TestStore.addresses().with("eni-1", 1, "10.0.0.7"));
    ReturnTicket ticket = node.store.reserveEni("eni-1");
    assertThat(ticket.parts()).containsExactly(CloudPart.eni("eni-1"));
    assertThat(node.store.reserveEni("eni-1").parts()).isEmpty();
    assertThat(node.none("a")).isEqualTo(AssignOutcome.Reason.EXCLUDED);
    assertThat(node.stats()).isEqualTo(DatastoreStats.NONE);
    ticket.rollback();
    ticket.commit(ticket.parts());
    assertThat(node.ip("a")).isEqualTo("10.0.0.7");
    node.release("a");
    node.passCooldown();
    ReturnTicket again = node.store.reserveEni("eni-1");
    again.commit(again.parts());
    assertThat(node.store.view().enis()).isEmpty();
  }

  @Test
  @DisplayName("D94 As many are given back as are asked for, of the emptiest interfaces first")
  void chosen() {
    TestStore node =
        TestStore.addresses()
            .with("eni-1", 1, "10.0.1.1", "10.0.1.2", "10.0.1.3")
            .with("eni-2", 2, "10.0.2.1", "10.0.2.2", "10.0.2.3", "10.0.2.4");
    node.assign("a");
    ReturnTicket ticket = node.store.reserveForReturn(IpFamily.IPV4, CidrKind.SECONDARY, 5);
    assertThat(ticket.parts())
        .containsExactly(
            part("eni-2", "10.0.2.1"),
            part("eni-2", "10.0.2.2"),
            part("eni-2", "10.0.2.3"),
            part("eni-2", "10.0.2.4"),
            part("eni-1", "10.0.1.2"));
    assertThat(node.stats().total()).isEqualTo(2);
    ticket.commit(List.of(part("eni-2", "10.0.2.1"), part("eni-1", "10.0.1.2")));
    assertThat(node.total()).isEqualTo(5);
    assertThat(node.stats()).isEqualTo(new DatastoreStats(5, 0, 1, 0));
    ticket.commit(List.of(part("eni-2", "10.0.2.2")));
    assertThat(node.total()).as("a ticket ends once").isEqualTo(5);
  }

  @Test
  @DisplayName("DI7 An address about to be given back is not assigned, and goes only once")
  void returning() {
    TestStore node = TestStore.addresses().with("eni-1", 1, "10.0.0.7");
    ReturnTicket ticket = node.store.reserveForReturn(IpFamily.IPV4, CidrKind.SECONDARY, 1);
    assertThat(node.none("a")).isEqualTo(AssignOutcome.Reason.EXCLUDED);
    assertThat(node.store.reserveForReturn(IpFamily.IPV4, CidrKind.SECONDARY, 1).parts()).isEmpty();
    ticket.rollback();
    assertThat(node.ip("a")).isEqualTo("10.0.0.7");
  }

  @Test
  @DisplayName("DI7 An interface of which an address is about to be given back is not removed")
  void returningOfEni() {
    TestStore node = old(TestStore.addresses().with("eni-1", 1, "10.0.0.7", "10.0.0.8"));
    ReturnTicket ticket = node.store.reserveForReturn(IpFamily.IPV4, CidrKind.SECONDARY, 1);
    assertThat(isReservable(node, "eni-1")).isFalse();
    ticket.rollback();
    assertThat(isReservable(node, "eni-1")).isTrue();
  }

  @Test
  @DisplayName("DI7 What an interface that is about to be removed has is not given back beside it")
  void returningOfDraining() {
    TestStore node = old(TestStore.addresses().with("eni-1", 1, "10.0.0.7", "10.0.0.8"));
    ReturnTicket ticket = node.store.reserveEni("eni-1");
    assertThat(node.store.reserveForReturn(IpFamily.IPV4, CidrKind.SECONDARY, 2).parts()).isEmpty();
    assertThat(node.store.exclude("eni-1", true)).isEmpty();
    assertThat(node.store.reserveExcluded().parts()).isEmpty();
    ticket.rollback();
    assertThat(node.store.reserveExcluded().parts()).hasSize(2);
  }

  @Test
  @DisplayName("DI9 An interface on which a pod has its address again meanwhile is not forgotten")
  void drainedInUse() {
    TestStore node = TestStore.addresses().with("eni-1", 1, "10.0.0.7");
    Assignment had = node.assign("a");
    assertThat(node.remove("eni-1", "10.0.0.7", Removal.FORCED)).isEmpty();
    ReturnTicket ticket = old(node).store.reserveEni("eni-1");
    assertThat(node.add("eni-1", "10.0.0.7")).isEmpty();
    ticket.commit(ticket.parts());
    assertThat(node.assign("a")).isEqualTo(had);
    assertThat(node.store.view().enis()).hasSize(1);
  }

  @Test
  @DisplayName("A ticket says nothing of what has come in the place of its addresses")
  void replaced() {
    TestStore node = TestStore.prefixes().with("eni-1", 1, "10.0.0.0/28");
    ReturnTicket first = node.store.reserveForReturn(IpFamily.IPV4, CidrKind.PREFIX, 1);
    assertThat(node.remove("eni-1", "10.0.0.0/28", Removal.UNUSED_ONLY)).isEmpty();
    assertThat(node.add("eni-1", "10.0.0.0/28")).isEmpty();
    assertThat(node.ip("a")).isEqualTo("10.0.0.0");
    first.commit(first.parts());
    assertThat(node.total()).as("a pod uses it").isEqualTo(16);

    assertThat(node.add("eni-1", "10.0.0.16/29")).isEmpty();
    ReturnTicket second = node.store.reserveForReturn(IpFamily.IPV4, CidrKind.PREFIX, 1);
    assertThat(node.remove("eni-1", "10.0.0.16/29", Removal.UNUSED_ONLY)).isEmpty();
    assertThat(node.add("eni-1", "10.0.0.16/28")).isEmpty();
    assertThat(node.store.reserveForReturn(IpFamily.IPV4, CidrKind.PREFIX, 1).parts()).hasSize(1);
    second.commit(second.parts());
    assertThat(node.total()).as("a wider one").isEqualTo(32);
  }

  // ---- excluded interfaces

  @Test
  @DisplayName("D62 D65 An excluded interface gives no address; another one does")
  void excluded() {
    TestStore node = TestStore.addresses().with("eni-0", 0, "10.0.0.7");
    assertThat(node.store.view().enis().get(0).excluded()).isFalse();
    assertThat(node.store.exclude("eni-0", true)).isEmpty();
    assertThat(node.store.view().enis().get(0).excluded()).isTrue();
    assertThat(node.store.exclude("eni-9", true).orElseThrow().text())
        .isEqualTo("datastore: unknown ENI");
    assertThat(node.none("a")).isEqualTo(AssignOutcome.Reason.EXCLUDED);
    assertThat(node.store.reserveForReturn(IpFamily.IPV4, CidrKind.SECONDARY, 1).parts()).isEmpty();
    node.with("eni-1", 1, "10.0.1.7");
    assertThat(node.assign("a").deviceNumber()).isEqualTo(1);
    assertThat(node.store.exclude("eni-0", false)).isEmpty();
    assertThat(node.ip("b")).isEqualTo("10.0.0.7");
  }

  @Test
  @DisplayName("D64 An excluded interface keeps its pods; without them it can be removed")
  void excludedWithPod() {
    TestStore node = old(TestStore.addresses().with("eni-1", 1, "10.0.0.7", "10.0.0.8"));
    node.assign("a");
    assertThat(node.store.exclude("eni-1", true)).isEmpty();
    assertThat(node.assign("a").address()).hasToString("10.0.0.7");
    assertThat(isReservable(node, "eni-1")).isFalse();
    node.release("a");
    node.passCooldown();
    assertThat(isReservable(node, "eni-1")).isTrue();
  }

  @Test
  @DisplayName(
      "D66 What excluded interfaces no longer use goes back to the cloud, and leaves the totals")
  void excludedCidrs() {
    TestStore node =
        TestStore.prefixes()
            .with("eni-0", 0, "10.0.0.0/28", "10.0.0.16/28", "2001:db8::/80")
            .with("eni-1", 1, "10.0.1.0/28");
    assertThat(node.store.reserveExcluded().parts()).isEmpty();
    assertThat(node.store.exclude("eni-1", true)).isEmpty();
    node.assign("a");
    assertThat(node.store.exclude("eni-1", false)).isEmpty();
    assertThat(node.store.exclude("eni-0", true)).isEmpty();
    ReturnTicket ticket = node.store.reserveExcluded();
    assertThat(ticket.parts())
        .containsExactly(part("eni-0", "10.0.0.16/28"), part("eni-0", "2001:db8::/80"));
    ticket.commit(ticket.parts());
    assertThat(node.total()).isEqualTo(32);
    assertThat(node.assign("a").address()).hasToString("10.0.0.0");
  }
}
