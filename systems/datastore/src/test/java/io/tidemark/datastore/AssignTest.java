package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Addresses of sandboxes")
class AssignTest {
  private final TestStore node = TestStore.addresses().with("eni-1", 1, "1.1.1.1");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D22 DI5 A repeated request gets the same address, and nothing is written \
            | addresses; eni 1 7; get a = 7; add 1 8; writes = true; get a = 7; writes = false; \
              stats = 2/0/1/0
          D26 D27 A release answers what the sandbox had; one without an address is unknown \
            | addresses; eni 1 7; eni 2 8; get a b = 7 8; del c = unknown; del b = 8; \
              stats = 2/0/1/1; file = a:7; del b = unknown
          D31 A release that cannot be written leaves entry, metadata and time; the next succeeds \
            | addresses; eni 1 7; get a; assigned = a:7; fails; del a = CHECKPOINT_FAILED; \
              assigned = a:7; file = a:7; del a = 7; file = none
          D32 A sandbox from the container runtime keeps its address under its own key \
            | unread SECONDARY; eni 1 7 8; reads ~c1:8@0; get c1 = 8; assigned = c1:8(); \
              file = c1:8(); del c1 = 8; file = none
          D32 A sandbox from the container runtime loses its address by its own key \
            | unread SECONDARY; eni 1 7 8; reads ~c1:8@0; del c1 = 8; file = none
          D32 A new key that cannot be written leaves the one from the container runtime \
            | unread SECONDARY; eni 1 7; reads ~c1:7@0; fails; get c1 = CHECKPOINT_FAILED; \
              assigned = ~c1:7@0; get c1 = 7
          Fuller interfaces are filled before emptier ones, so that these can be removed \
            | addresses; eni 1 1; eni 2 21 22 23; get a = 1; add 1 2; get b c = 2 21
          """)
  void story(String name, String story) {
    StoreStory.run(story);
  }

  @Test
  @DisplayName("D21 DI6 The only address is assigned, and the file has exactly that")
  void first() {
    assertThat(node.ip("a")).isEqualTo("1.1.1.1");
    List<CheckpointEntry> entries = node.inFile().allocations();
    assertThat(entries).hasSize(1);
    assertThat(entries.get(0).key()).isEqualTo(TestStore.key("a"));
    assertThat(entries.get(0).ipv4()).contains(IpAddress.parse("1.1.1.1"));
    assertThat(entries.get(0).metadata()).isEqualTo(TestStore.POD);
    assertThat(node.store.assigned()).extracting(DataStore.Assigned::entry).isEqualTo(entries);
  }

  @Test
  @DisplayName("D23 D24 D25 DI4 A failed write leaves all as it was; later the address is assigned")
  void failedWrite() {
    node.assign("a");
    node.with("eni-2", 2, "1.1.2.2");
    node.files.fault(node.files.changes().size(), Fault.FAILS, 0);
    StoreRefusal refusal = TestStore.refusal(node.assigning("b"));
    assertThat(refusal.code()).isEqualTo(DatastoreError.CHECKPOINT_FAILED);
    assertThat(refusal.detail()).contains("/run/ipam.json", "no space left");
    assertThat(node.addressesInFile()).containsExactly("1.1.1.1");
    assertThat(node.stats()).isEqualTo(new DatastoreStats(2, 0, 1, 0));
    assertThat(node.store.unhealthy()).isPresent();

    Assignment had = node.assign("b");
    assertThat(had.address()).hasToString("1.1.2.2");
    assertThat(had.deviceNumber()).isEqualTo(2);
    assertThat(node.assigned()).isEqualTo(2);
    assertThat(node.store.unhealthy()).isEmpty();
    assertThat(node.add("eni-1", "1.1.1.2")).isEmpty();
    assertThat(node.ip("c")).isEqualTo("1.1.1.2");
    assertThat(node.addressesInFile()).containsExactly("1.1.1.1", "1.1.1.2", "1.1.2.2");
    assertThat(node.none("d")).isEqualTo(AssignOutcome.Reason.ALL_ASSIGNED);
    assertThat(node.store.counters().noAddress()).isEqualTo(1);
  }

  @Test
  @DisplayName("D28 D29 D41 DI12 The addresses of a prefix are assigned from the first to the last")
  void prefix() {
    TestStore prefixes = TestStore.prefixes().with("eni-1", 1, "10.0.0.0/28");
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      all.add(prefixes.ip("pod-" + i));
    }
    assertThat(all).startsWith("10.0.0.0", "10.0.0.1", "10.0.0.2").endsWith("10.0.0.15");
    assertThat(all).doesNotHaveDuplicates();
    assertThat(prefixes.none("pod-16")).isEqualTo(AssignOutcome.Reason.ALL_ASSIGNED);
    prefixes.release("pod-1");
    assertThat(prefixes.stats()).isEqualTo(new DatastoreStats(16, 1, 15, 1));
  }

  @Test
  @DisplayName("D30 IPv6 addresses come from prefixes alone, of several the fullest")
  void ipv6() {
    TestStore prefixes = TestStore.prefixes().with("eni-0", 0, "2001:db8::/80");
    prefixes.assign6("a");
    prefixes.assign6("b");
    assertThat(prefixes.add("eni-0", "2001:db8:0:0:1::/80")).isEmpty();
    assertThat(prefixes.add("eni-0", "2001:db8:0:0:2::/80")).isEmpty();
    prefixes.release("a");
    for (String pod : List.of("c", "d", "e", "f")) {
      assertThat(prefixes.assign6(pod).cidr()).hasToString("2001:db8::/80");
    }
    assertThat(prefixes.store.view().stats(IpFamily.IPV6).assigned()).isEqualTo(5);
    StoreRefusal refusal = TestStore.refusal(node.assigning6("x"));
    assertThat(refusal.text()).isEqualTo("PD is not enabled. V6 is only supported in PD mode");
    assertThat(refusal.code()).isEqualTo(DatastoreError.FAMILY_NOT_SERVED);
  }

  @Test
  @DisplayName("D38 A key of nothing is refused; one with a container alone is a key")
  void keys() {
    CompletionStage<AssignOutcome> empty =
        node.store.assign(new IpamKey("", "", ""), IpamMetadata.NONE, IpFamily.IPV4);
    assertThat(TestStore.refusal(node.ended(empty)).code()).isEqualTo(DatastoreError.KEY_INVALID);
    assertThat(node.ended(node.store.release(new IpamKey("", "", ""))))
        .isInstanceOf(StoreReleaseOutcome.Unknown.class);
    IpamKey container = new IpamKey("", "c1", "");
    TestStore.granted(node.ended(node.store.assign(container, IpamMetadata.NONE, IpFamily.IPV4)));
    assertThat(node.ended(node.store.release(container)))
        .isInstanceOf(StoreReleaseOutcome.Released.class);
  }

  @Test
  @DisplayName("D42 A pod of which an older version noted no count has one interface")
  void interfaces() {
    IpamKey key = TestStore.key("a");
    TestStore.granted(node.ended(node.store.assign(key, IpamMetadata.NONE, IpFamily.IPV4)));
    assertThat(node.release("a").interfacesCount()).isEqualTo(1);
    assertThat(new IpamMetadata("n", "p", 3).interfaces()).isEqualTo(3);
  }

  @Test
  @DisplayName("D112 Requests of one sandbox under way join: one write, one answer")
  void joined() {
    CompletionStage<AssignOutcome> first =
        node.store.assign(TestStore.key("a"), TestStore.POD, IpFamily.IPV4);
    CompletionStage<AssignOutcome> second =
        node.store.assign(TestStore.key("a"), TestStore.POD, IpFamily.IPV4);
    assertThat(second).isSameAs(first);
    CompletionStage<StoreReleaseOutcome> release = node.store.release(TestStore.key("a"));
    assertThat(node.ended(release)).isInstanceOf(StoreReleaseOutcome.Released.class);
    assertThat(node.ended(first)).isInstanceOf(AssignOutcome.Granted.class);
  }

  @Test
  @DisplayName("D112 A request during the release of its sandbox is answered after that, anew")
  void afterRelease() {
    assertThat(node.add("eni-1", "1.1.1.2")).isEmpty();
    node.assign("a");
    CompletionStage<StoreReleaseOutcome> release = node.store.release(TestStore.key("a"));
    assertThat(node.store.release(TestStore.key("a"))).isSameAs(release);
    CompletionStage<AssignOutcome> again =
        node.store.assign(TestStore.key("a"), TestStore.POD, IpFamily.IPV4);
    Assignment next = TestStore.granted(node.ended(again)).assignment();
    assertThat(next.address()).hasToString("1.1.1.2");
    assertThat(node.ended(release)).isInstanceOf(StoreReleaseOutcome.Released.class);
  }

  @Test
  @DisplayName(
      "D112 While its write is under way an address is not assigned, not released and not removed")
  void underWay() {
    CompletionStage<AssignOutcome> first =
        node.store.assign(TestStore.key("a"), TestStore.POD, IpFamily.IPV4);
    assertThat(node.store.assigned()).isEmpty();
    assertThat(node.remove("eni-1", "1.1.1.1", Removal.FORCED)).isPresent();
    assertThat(node.store.removeEni("eni-1", Removal.FORCED)).isPresent();
    assertThat(node.none("b")).isEqualTo(AssignOutcome.Reason.ALL_ASSIGNED);
    TestStore.granted(node.ended(first));
    assertThat(node.store.assigned()).hasSize(1);
    CompletionStage<StoreReleaseOutcome> last = node.store.release(TestStore.key("a"));
    assertThat(node.remove("eni-1", "1.1.1.1", Removal.FORCED)).isPresent();
    assertThat(node.store.removeEni("eni-1", Removal.FORCED)).isPresent();
    assertThat(node.ended(last)).isInstanceOf(StoreReleaseOutcome.Released.class);
    assertThat(node.store.orphans()).isEmpty();
  }
}
