package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.IpFamily;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is about to be given back is noted in the file")
class NotedReturnTest {
  private static TestStore prefixes() {
    return TestStore.prefixes().with("eni-1", 1, "10.0.0.0/28", "10.0.0.16/28");
  }

  /** Another program begins, to which the cloud still shows the same. */
  private static void restart(TestStore node) {
    node.restarted();
    node.with("eni-1", 1, "10.0.0.0/28", "10.0.0.16/28");
    node.recover(node.inFile());
  }

  @Test
  @DisplayName("DI7 A program that starts while a prefix is given back does not assign from it")
  void prefix() {
    TestStore node = prefixes();
    node.assign("a");
    ReturnTicket ticket = node.store.reserveForReturn(IpFamily.IPV4, CidrKind.PREFIX, 1);
    assertThat(node.ended(ticket.note())).isTrue();
    restart(node);
    assertThat(node.stats()).isEqualTo(new DatastoreStats(32, 2, 1, 16));
    node.passCooldown();
    assertThat(node.stats()).isEqualTo(new DatastoreStats(32, 2, 1, 0));
  }

  @Test
  @DisplayName("DI7 A program that starts while an interface is removed does not assign from it")
  void eni() {
    TestStore node = prefixes();
    node.pass(PoolView.ENI_LIFETIME_MIN);
    ReturnTicket ticket = node.store.reserveEni("eni-1");
    assertThat(node.ended(ticket.note())).isTrue();
    restart(node);
    assertThat(node.none("a")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
  }

  @Test
  @DisplayName("DI7 What stays here after all can be assigned at once, and is noted as assigned")
  void kept() {
    TestStore node = prefixes();
    ReturnTicket ticket = node.store.reserveForReturn(IpFamily.IPV4, CidrKind.PREFIX, 2);
    assertThat(node.ended(ticket.note())).isTrue();
    ticket.rollback();
    String address = node.ip("a");
    assertThat(node.inFile().extension().orElseThrow().cooldown())
        .extracting(each -> each.ip().toString())
        .hasSize(31)
        .doesNotContain(address);
    restart(node);
    assertThat(node.ip("a")).isEqualTo(address);
    assertThat(node.stats().cooling()).isEqualTo(31);
  }

  @Test
  @DisplayName("A write that fails is reported, and no address of a large prefix is noted")
  void failed() {
    TestStore node = TestStore.prefixes().with("eni-1", 1, "2001:db8::/80");
    ReturnTicket ticket = node.store.reserveForReturn(IpFamily.IPV6, CidrKind.PREFIX, 1);
    assertThat(ticket.parts()).hasSize(1);
    node.files.fault(node.files.changes().size(), Fault.FAILS, 0);
    assertThat(node.ended(ticket.note())).isFalse();
    node.files.restart();
    assertThat(node.ended(ticket.note())).isTrue();
    assertThat(node.inFile().extension().orElseThrow().cooldown()).isEqualTo(List.of());
  }
}
