package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.file.CrashingFiles;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The end of a sandbox with several assignments of which addresses are not here")
class OrphanReleaseTest {
  private static TestStore recovered(CheckpointEntry... entries) {
    TestStore node =
        new TestStore(
            CidrKind.SECONDARY, CooldownRule.DEFAULT, new VirtualTime(0), new CrashingFiles());
    node.with("eni-1", 1, "10.0.0.9");
    node.recover(new CheckpointData(List.of(entries), Optional.empty(), ""));
    return node;
  }

  private static CheckpointEntry entry(String container, String ip, long nanos) {
    return CheckpointEntry.of(TestStore.key(container), IpAddress.parse(ip), nanos, TestStore.POD);
  }

  private static List<CheckpointEntry> orphansInFile(TestStore node) {
    return node.inFile().extension().orElseThrow().orphans();
  }

  @Test
  @DisplayName(
      "D73 DI4 A DEL of which only a part could be written is refused, and can be repeated")
  void halfWritten() {
    TestStore node = recovered(entry("a", "10.0.0.7", 7), entry("a", "10.0.0.8", 8));
    node.files.fault(node.files.changes().size(), Fault.FAILS, 0);
    assertThat(TestStore.refusal(node.releasing("a")).code())
        .isEqualTo(DatastoreError.CHECKPOINT_FAILED);
    assertThat(orphansInFile(node)).hasSize(1);
    assertThat(node.releasing("a")).isInstanceOf(StoreReleaseOutcome.Unknown.class);
    assertThat(orphansInFile(node)).isEmpty();
  }

  @Test
  @DisplayName(
      "D73 It tells what the sandbox had, though another one has the last of its addresses")
  void told() {
    TestStore node =
        recovered(entry("a", "10.0.0.7", 8), entry("a", "10.0.0.9", 7), entry("b", "10.0.0.9", 9));
    StoreReleaseOutcome outcome = node.releasing("a");
    assertThat(((StoreReleaseOutcome.Unknown) outcome).lost().orElseThrow().address())
        .hasToString("10.0.0.7");
    assertThat(orphansInFile(node)).isEmpty();
    assertThat(node.addressesInFile()).containsExactly("10.0.0.9");
  }

  @Test
  @DisplayName(
      "D73 DI7 An address of it that comes back later is nobody's, also when it had one here")
  void withOneHere() {
    TestStore node = recovered(entry("a", "10.0.0.7", 7), entry("a", "10.0.0.9", 8));
    assertThat(node.release("a").assignments())
        .extracting(each -> each.address().toString())
        .containsExactly("10.0.0.9");
    assertThat(node.add("eni-1", "10.0.0.7")).isEmpty();
    assertThat(node.assigned()).isZero();
    node.passCooldown();
    assertThat(List.of(node.ip("b"), node.ip("c")))
        .containsExactlyInAnyOrder("10.0.0.7", "10.0.0.9");
    assertThat(orphansInFile(node)).isEmpty();
  }

  @Test
  @DisplayName("D73 DI4 When that cannot be written it keeps what it has here, too")
  void withOneHereHalfWritten() {
    TestStore node = recovered(entry("a", "10.0.0.7", 7), entry("a", "10.0.0.9", 8));
    node.files.fault(node.files.changes().size(), Fault.FAILS, 0);
    assertThat(TestStore.refusal(node.releasing("a")).code())
        .isEqualTo(DatastoreError.CHECKPOINT_FAILED);
    assertThat(node.addressesInFile()).containsExactly("10.0.0.9");
    assertThat(orphansInFile(node)).hasSize(1);
    assertThat(node.release("a").assignments()).hasSize(1);
    assertThat(orphansInFile(node)).isEmpty();
    assertThat(node.addressesInFile()).isEmpty();
  }

  @Test
  @DisplayName(
      "D74 It tells nothing of an address that an assignment of another sandbox names, too")
  void ofAnother() {
    TestStore node =
        recovered(entry("a", "10.0.0.7", 7), entry("b", "10.0.0.7", 8), entry("c", "10.0.0.8", 9));
    assertThat(node.releasing("a")).isEqualTo(new StoreReleaseOutcome.Unknown(Optional.empty()));
    StoreReleaseOutcome.Unknown last = (StoreReleaseOutcome.Unknown) node.releasing("b");
    assertThat(last.lost()).as("the rules of nobody else").isPresent();
  }

  @Test
  @DisplayName("D73 DI7 The address of a forgotten one cools since it was lost, over a restart")
  void lostCools() {
    TestStore node = recovered();
    node.assign("a");
    assertThat(node.remove("eni-1", "10.0.0.9", Removal.FORCED)).isEmpty();
    node.pass(Duration.ofSeconds(40));
    CheckpointData data = node.inFile();
    assertThat(data.allocations()).isEmpty();
    node.restarted();
    node.with("eni-1", 1);
    node.recover(data, RecoveryRules.of(IpFamily.IPV4).withGrace(Duration.ZERO));
    assertThat(node.store.confirmDetached(List.of(IpAddress.parse("10.0.0.9")))).isEqualTo(1);
    assertThat(node.add("eni-1", "10.0.0.9")).isEmpty();
    node.pass(Duration.ofSeconds(89));
    assertThat(node.none("b")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    node.pass(Duration.ofSeconds(2));
    assertThat(node.ip("b")).isEqualTo("10.0.0.9");
  }

  /** An entry that was read from the container runtime. */
  private static CheckpointEntry migrated(String container, String ip) {
    return CheckpointEntry.of(
        IpamKey.migrated(container), IpAddress.parse(ip), 0, IpamMetadata.NONE);
  }

  @Test
  @DisplayName("D32 D73 D140 One of the container runtime ends with its sandbox, by any key")
  void ofRuntime() {
    TestStore node = recovered(migrated("a", "10.0.0.7"), migrated("b", "10.0.0.8"));
    assertThat(node.store.orphaned(TestStore.key("a"), IpFamily.IPV4).orElseThrow().address())
        .hasToString("10.0.0.7");
    StoreReleaseOutcome.Unknown outcome = (StoreReleaseOutcome.Unknown) node.releasing("a");
    assertThat(outcome.lost().orElseThrow().address()).hasToString("10.0.0.7");
    assertThat(orphansInFile(node)).containsExactly(migrated("b", "10.0.0.8"));
    assertThat(node.add("eni-1", "10.0.0.7")).isEmpty();
    assertThat(node.assigned()).isZero();
  }

  @Test
  @DisplayName("D32 D73 One of the container runtime ends when its sandbox gets another address")
  void ofRuntimeReplaced() {
    TestStore node = recovered(migrated("a", "10.0.0.7"), migrated("b", "10.0.0.8"));
    assertThat(node.ip("a")).isEqualTo("10.0.0.9");
    assertThat(node.store.orphans())
        .extracting(Orphan::entry)
        .containsExactly(migrated("b", "10.0.0.8"));
    assertThat(orphansInFile(node)).containsExactly(migrated("b", "10.0.0.8"));
  }
}
