package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.IpFamily;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What the cloud gets back")
class ReturnTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D55 An interface is kept for a minute after it was added \
            | addresses; eni 1; 59999ms; removable 1 = false; 1ms; removable 1 = true
          D54 D56 D59 DI8 What is primary, trunk, EFA, in use or cooling is kept \
            | prefixes; eni 0; trunk 1; efa 2; eni 3 2001:db8::/80; eni 4 0/28; 1m; \
              removable 0 = false; removable 1 = false; removable 2 = false; \
              removable 9 = false; removable 3 = true; get6 a; get b; removable 3 = false; \
              removable 4 = false; del a b; removable 3 = false; cooled; removable 3 = true; \
              removable 4 = true
          D61 DI7 An interface about to be removed gives no address; refused by the cloud it does \
            again \
            | addresses; eni 1 7; 1m; backEni 1 = 1; backEni 1 = none; get a = EXCLUDED; \
              stats = 0/0/0/0; rollback; commit; get a = 7; del a; cooled; backEni 1 = 1; \
              commit; enis = none
          D94 As many are given back as are asked for, of the emptiest interfaces first; a ticket \
            ends once \
            | addresses; eni 1 11 12 13; eni 2 21 22 23 24; get a; \
              back 4 5 = 2:21 2:22 2:23 2:24 1:12; stats = 2/0/1/0; commit 2:21 1:12; total = 5; \
              stats = 5/0/1/0; commit 2:22; total = 5
          DI7 An address about to be given back is not assigned, and goes only once \
            | addresses; eni 1 7; back 4 1 = 1:7; get a = EXCLUDED; back 4 1 = none; rollback; \
              get a = 7
          DI7 An interface of which an address is about to be given back is not removed \
            | addresses; eni 1 7 8; 1m; back 4 1 = 1:7; removable 1 = false; rollback; \
              removable 1 = true
          DI7 What an interface that is about to be removed has is not given back beside it \
            | addresses; eni 1 7 8; 1m; backEni 1 = 1; back 4 2 = none; exclude 1; \
              backExcluded = none; rollback; backExcluded = 1:7 1:8
          DI9 An interface on which a pod has its address again meanwhile is not forgotten \
            | addresses; eni 1 7; get a; force 1 7; 1m; backEni 1 = 1; add 1 7; commit; \
              get a = 7; places = 7 on eni-1; enis = 1
          D62 D65 An excluded interface gives no address; another one does \
            | addresses; eni 0 7; enis = 0; exclude 0; enis = 0 excluded; \
              exclude 9 = datastore: unknown ENI; get a = EXCLUDED; back 4 1 = none; eni 1 17; \
              get a = 17; include 0; get b = 7
          D64 An excluded interface keeps its pods; without them it can be removed \
            | addresses; eni 1 7 8; 1m; get a; exclude 1; get a = 7; removable 1 = false; del a; \
              cooled; removable 1 = true
          D66 What excluded interfaces no longer use goes back to the cloud, and leaves the totals \
            | prefixes; eni 0 0/28 16/28 2001:db8::/80; eni 1 10.0.1.0/28; backExcluded = none; \
              exclude 1; get a; include 1; exclude 0; backExcluded = 0:16/28 0:2001:db8::/80; \
              commit; total = 32; get a = 0
          DI7 A program that starts while a prefix is given back does not assign from it \
            | prefixes; eni 1 0/28 16/28; get a; back 4 1 = 1:16/28; note = true; \
              restart 0/28 16/28; stats = 32/2/1/16; cooled; stats = 32/2/1/0
          DI7 A program that starts while an interface is removed does not assign from it \
            | prefixes; eni 1 0/28 16/28; 1m; backEni 1; note = true; restart 0/28 16/28; \
              get a = ALL_COOLING
          D47 Addresses can be given back while no pod has them and they do not cool \
            | addresses; eni 1 1 2 10.0.1.0/28; returnable 4 = 1 2; get a = 1; \
              returnable 4 = 2; del a; returnable 4 = 2; cooled; returnable 4 = 1 2
          D48 D49 Prefixes of both families can be given back while they are whole \
            | prefixes; eni 1 0/28 16/28 10.0.1.1; eni 2 2001:db8::/80 2001:db8:0:0:1::/80; \
              returnable 4 = 0/28 16/28; returnable 6 = 2001:db8::/80 2001:db8:0:0:1::/80; \
              get a; get6 b; returnable 4 = 16/28; returnable 6 = 2001:db8:0:0:1::/80
          """)
  void story(String name, String story) {
    StoreStory.run(story);
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

  @Test
  @DisplayName("DI7 What stays here after all can be assigned at once, and is noted as assigned")
  void kept() {
    TestStore node = TestStore.prefixes().with("eni-1", 1, "10.0.0.0/28", "10.0.0.16/28");
    ReturnTicket ticket = node.store.reserveForReturn(IpFamily.IPV4, CidrKind.PREFIX, 2);
    assertThat(node.ended(ticket.note())).isTrue();
    ticket.rollback();
    String address = node.ip("a");
    assertThat(node.inFile().extension().orElseThrow().cooldown())
        .extracting(each -> each.ip().toString())
        .hasSize(31)
        .doesNotContain(address);
    node.restarted();
    node.with("eni-1", 1, "10.0.0.0/28", "10.0.0.16/28").recover(node.inFile());
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
    assertThat(node.inFile().extension().orElseThrow().cooldown()).isEmpty();
  }
}
