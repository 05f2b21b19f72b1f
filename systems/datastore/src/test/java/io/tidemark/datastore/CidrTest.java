package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Secondary addresses and prefixes")
class CidrTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D12 An address is added once, to an interface that is here \
            | addresses; eni 1; eni 2; add 1 1; total = 1; \
              add 1 1 = datastore: IP already in data store; total = 1; add 1 2; add 2 3; \
              add 9 4 = add ENI's IP to datastore: unknown ENI; total = 3
          D13 A prefix counts with all its addresses; a refused one counts nothing \
            | prefixes; eni 1; eni 2; add 1 0/28; total = 16; \
              add 1 0/28 = datastore: IP already in data store; add 1 16/28; add 2 32/28; \
              add 9 48/28 = add ENI's IP to datastore: unknown ENI; stats = 48/3/0/0
          D14 The view lists what each interface has, in the order of addresses \
            | addresses; eni 1 9 7 10.0.1.0/28; \
              cidrs = 7 SECONDARY 9 SECONDARY 10.0.1.0/28 PREFIX
          D15 D07 An address leaves when no pod uses it, or by force \
            | addresses; eni 1 1 2 3; eni 2; get a = 1; remove 1 3; total = 2; \
              remove 1 3 = datastore: unknown IP; remove 9 1 = datastore: unknown ENI; \
              remove 2 2 = datastore: unknown IP; force 1 3 = datastore: unknown IP; \
              force 9 1 = datastore: unknown ENI; force 2 2 = datastore: unknown IP; \
              remove 1 1 = datastore: IP is used and can not be deleted; total = 2; \
              counters = 0/0/0/0; force 1 1; total = 1; counters = 0/0/1/0
          D16 DI4 A prefix leaves as a whole; one pod of it keeps it \
            | prefixes; eni 1 0/28 16/28; get a; remove 1 16/28; total = 16; \
              force 1 16/28 = datastore: unknown IP; \
              remove 1 0/28 = datastore: IP is used and can not be deleted; stats = 16/1/1/0; \
              force 1 0/28; total = 0; assigned = none
          D17 After a change of the mode what is left of the other one is not assigned \
            | prefixes; eni 1 10.1.1.1; get a = WRONG_MODE; add 1 0/28; total = 17; get a = 0; \
              force 1 10.1.1.1; total = 16; \
              addresses; eni 1 0/28; add 1 10.1.1.1; total = 17; get a = 10.1.1.1; \
              force 1 0/28; total = 1
          D18 D125 An IPv6 prefix counts with 2^48 addresses, of which pods use the first \
            | prefixes; eni 0 2001:db8::/80 2001:db8:0:0:1::/80; total = 562949953421312; \
              get6 a = 2001:db8::; force 0 2001:db8:0:0:2::/80 = datastore: unknown IP; \
              force 9 2001:db8::/80 = datastore: unknown ENI; remove 0 2001:db8:0:0:1::/80; \
              total = 281474976710656; \
              remove 0 2001:db8::/80 = datastore: IP is used and can not be deleted; \
              force 0 2001:db8::/80; total = 0
          An address that comes back after a forced removal belongs to its sandbox again \
            | addresses; eni 1 7; get a; force 1 7; orphans = a:7; add 1 7; orphans = none; \
              get a = 7; places = 7 on eni-1; 1s; file = a:7; stats = 1/0/1/0
          DI1 An address that left while it cooled and is assigned again stays assigned \
            | addresses; eni 1 7; get a; del a; remove 1 7; add 1 7; full; 40s; \
              get b = 7 cut short at 40; cooled; get c = ALL_ASSIGNED; assigned = b:7
          DI7 An address that cools and comes back cools for the rest of its time \
            | addresses; eni 1 7; get a; del a; 100s; remove 1 7; add 1 7; get b = ALL_COOLING; \
              31s; get b = 7
          """)
  void story(String name, String story) {
    StoreStory.run(story);
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
