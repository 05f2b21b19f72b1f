package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.checkpoint.MigrationPhase;
import io.tidemark.datastore.checkpoint.UnreadableCheckpoint;
import io.tidemark.datastore.checkpoint.UnreadableCheckpoint.Kind;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a store takes up from a checkpoint")
class RecoveryTest {
  private static final RecoveryRules IPV4 = RecoveryRules.of(IpFamily.IPV4);

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D71 DI6 Before it has read the file a store serves nobody and writes nothing \
            | unread SECONDARY; eni 1 7; get a = NOT_RECOVERED; del a = NOT_RECOVERED; \
              health = the checkpoint has not been read yet; writes = false; reads = none; \
              get a = 7; health = good
          D73 D75 DI5 Assignments are taken up with metadata and time to the nanosecond; holes fill \
            | unread PREFIX; eni 1 0/28 10.1.0.7; \
              reads a:3@1700000000123456789 b:10.1.0.7@7 = 2 restored; \
              assigned = a:3@1700000000123456789 b:10.1.0.7@7; get a = 3; get c = 0; \
              file = c:0 a:3@1700000000123456789 b:10.1.0.7@7; del b = 10.1.0.7
          D73 Recovery before the interfaces are there loses nothing \
            | unread SECONDARY; reads a:7@7 = 1 orphans; file = none; fileOrphans = a:7@7; \
              eni 1 7 8; orphans = none; get a = 7; 1s; file = a:7@7; fileOrphans = none
          D73 DI7 An orphan survives restarts, and is forgotten when the cloud confirms and five \
            minutes passed \
            | unread SECONDARY; eni 1 8; reads a:7@7 = 1 orphans; restart 8 = 1 orphans; \
              orphans = a:7@7; detached 7 = 0; 5m; detached 9 = 0; detached 7 = 1; 1s; \
              orphans = none; fileOrphans = none
          D73 DI7 The address of an orphan that was released cools when it comes back \
            | unread SECONDARY; eni 1 8; reads a:7@7; del a = unknown lost 7; orphans = none; \
              restart 8; add 1 7; get b = 8; get c = ALL_COOLING; cooled; get c = 7
          D73 A sandbox whose address is gone gets another one, and its orphan ends \
            | unread SECONDARY; eni 1 8; reads a:7@7; get a = 8; orphans = none; 1s; \
              fileOrphans = none
          D74 DI1 Of two assignments of one address the newest counts, and the other is kept; its \
            end leaves the rules of the newest \
            | unread SECONDARY; eni 1 7; reads a:7@7 b:7@8 b:7@8 = 1 restored, 1 orphans, 1 duplicates; \
              assigned = b:7@8; orphans = a:7@7; del a = unknown; file = b:7@8; fileCools = none
          D74 DI12 Of two that are as new it is the same one, in whatever order the file is \
            | unread SECONDARY; eni 1 7; reads a:7@7 b:7@7; orphans = b:7@7; \
              unread SECONDARY; eni 1 7; reads b:7@7 a:7@7; orphans = b:7@7
          D74 DI1 An address that a third pod has stays its own when the other one ends \
            | unread SECONDARY; eni 1 7; reads a:7@7 b:7@8; del b; cooled; get c = 7; \
              del a = unknown; cooled; get d = ALL_ASSIGNED
          D73 Two addresses of one sandbox are both kept, and both released \
            | unread SECONDARY; eni 1 7 8; reads a:7@7 a:8@8 = 2 restored; \
              assigned = a:7@7 a:8@8; del a = 7+8; file = none
          An assignment of the other family is kept as an orphan \
            | unread PREFIX; eni 1 2001:db8::/80; \
              reads family=6 a:7@7 b:2001:db8::5@8 = 1 restored, 1 orphans; get6 b = 2001:db8::5
          Recovering twice is the same as once \
            | unread SECONDARY; eni 1 7; reads a:7@7 = 1 restored; reads a:7@7 = 1 restored; \
              assigned = a:7@7
          D79 DI7 Assignments of sandboxes that do not exist are dropped and told; those of old \
            versions stay \
            | unread SECONDARY; eni 1 7 8 9; reads alive=none a:7@7 b/default/:8@0 \
              c//sample-pod:9@0 = 2 restored, 1 cooling, stale a:7@7; \
              assigned = b/default/:8@0 c//sample-pod:9@0; get d = ALL_COOLING; cooled; get d = 7
          D79 When it is not known which sandboxes exist, all assignments are kept \
            | unread SECONDARY; eni 1 7; \
              reads alive=unknown a:7@7 = 1 restored, sandboxes unknown
          D83 D110 DI7 An address that cools cools over a restart, for the rest of its time \
            | unread SECONDARY; eni 1 7 8; reads; get a b; del a b; 60s; restart 7 8; \
              get c = ALL_COOLING; 69s; get c = ALL_COOLING; 2s; get c = 7; fileCools = none
          D110 An address that cools keeps that when its interface is added after the recovery \
            | unread SECONDARY; eni 1 7; reads; get a; del a; crash; rereads; eni 1 7; \
              get b = ALL_COOLING
          D110 A stamp in the future counts as now, never as negative \
            | unread SECONDARY; eni 1 7; reads written=boot-1 cooled=7@0s; 129s; \
              get b = ALL_COOLING; 2s; get b = 7; \
              unread SECONDARY; eni 1 7; reads written=boot-1 cooled=7@1s; 129s; \
              get b = ALL_COOLING; 2s; get b = 7; \
              unread SECONDARY; eni 1 7; reads written=boot-1 cooled=7@1000000s; 129s; \
              get b = ALL_COOLING; 2s; get b = 7
          D111 Another period applies to what cools already \
            | unread SECONDARY; eni 1 7; reads; get a; del a; 31s; period 30s; \
              restart 7 = none; get b = 7
          D83 After a file without stamps all that is not assigned cools for one period, but not \
            what comes later; then as the file says \
            | unread PREFIX; eni 1 0/28; reads record=other a:7@7 = 1 restored, 15 cooling; \
              get a = 7; get b = ALL_COOLING; add 1 16/28; get b = 16; restart 0/28 16/28; \
              stats = 32/2/2/15; cooled; stats = 32/2/2/0
          D83 DI1 What is assigned does not cool, and nobody else gets it after the cooldown \
            | unread PREFIX; eni 1 0/30; reads record=other a:2@7; cooled; \
              get b c d a = 0 1 3 2
          D83 One that is assigned early cools no more \
            | unread SECONDARY; eni 1 7 8; reads age=1m record=absent; full; \
              get a = 7 cut short at 60; unrecorded = 1
          D83 Without a file addresses cool since the machine started, and new ones not at all \
            | unread SECONDARY; eni 1 7; reads age=100s record=absent; get a = ALL_COOLING; \
              add 1 8; get a = 8; unrecorded = 1; 31s; unrecorded = 0; get b = 7; \
              unread SECONDARY; eni 1 7; reads age=1440m record=absent; get a = 7
          D83 D125 Of a /80 the lowest addresses cool, since they are assigned first \
            | unread PREFIX; eni 0 2001:db8::/80; reads family=6 record=other = 1024 cooling; \
              get6 a = 2001:db8::400
          D17 D108 What a pod had before the mode changed is not assigned early either \
            | unread PREFIX; eni 1 7; reads a:7@7; del a; full; 60s; get b = WRONG_MODE
          D84 A file of another boot has no assignments; one of this or an unknown boot has \
            | unread SECONDARY; eni 1 7; reads; get a; crash; eni 1 7; \
              rereads boot=boot-1 = 1 restored; \
              unread SECONDARY; eni 1 7; reads; get a; crash; eni 1 7; \
              rereads boot=boot-2 = 1 cooling, rebooted; \
              unread SECONDARY; eni 1 7; reads; get a; crash; eni 1 7; rereads boot= = 1 restored
          D84 DI7 What pods of another boot had cools since the machine started, here or not \
            | unread SECONDARY; eni 1 7 8 9; reads gone:6@7; get a b; del b; crash; 50s; \
              eni 1 7 8 9; rereads boot=boot-2 age=30s = 3 cooling, rebooted; orphans = none; \
              get c = 9; add 1 6; 81s; get d = 8; get e = ALL_COOLING; 20s; any e f = 6 7
          D84 DI7 Of a release and the start of the machine the later one counts \
            | unread SECONDARY; eni 1; reads written=boot-0 cooled=7@0s lost=a:7@7 age=100s; 80s; \
              add 1 7; get b = ALL_COOLING; 51s; get b = 7; \
              unread SECONDARY; eni 1; 120s; \
              reads written=boot-0 cooled=7@-120s lost=a:7@7 age=40s; 80s; \
              add 1 7; get b = ALL_COOLING; 51s; get b = 7
          """)
  void story(String name, String story) {
    StoreStory.run(story);
  }

  @DisplayName("The end of a sandbox with several assignments of which addresses are not here")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D73 DI4 A DEL of which only a part could be written is refused, and can be repeated \
            | reads a:7@7 a:8@8; fails; del a = CHECKPOINT_FAILED; fileOrphans = a:8@8; \
              del a = unknown lost 8; fileOrphans = none
          D73 It tells what the sandbox had, though another one has the last of its addresses \
            | reads a:7@8 a:9@7 b:9@9; del a = unknown lost 7; fileOrphans = none; file = b:9@9
          D73 DI7 An address of it that comes back later is nobody's, also when it had one here \
            | reads a:7@7 a:9@8; del a = 9; add 1 7; assigned = none; cooled; any b c = 7 9; \
              fileOrphans = none
          D73 DI4 When that cannot be written it keeps what it has here, too \
            | reads a:7@7 a:9@8; fails; del a = CHECKPOINT_FAILED; file = a:9@8; \
              fileOrphans = a:7@7; del a = 9; fileOrphans = none; file = none
          D74 It tells nothing of an address that an assignment of another sandbox names, too \
            | reads a:7@7 b:7@8 c:8@9; del a = unknown; del b = unknown lost 7
          D73 DI7 The address of a forgotten one cools since it was lost, over a restart \
            | reads; get a = 9; force 1 9; 40s; file = none; crash; eni 1; rereads grace=0s; \
              detached 9 = 1; add 1 9; 89s; get b = ALL_COOLING; 2s; get b = 9
          D32 D73 D140 One of the container runtime ends with its sandbox, by any key \
            | reads ~a:7@0 ~b:8@0; orphaned a = 7; del a = unknown lost 7; \
              fileOrphans = ~b:8@0; add 1 7; assigned = none
          D32 D73 One of the container runtime ends when its sandbox gets another address \
            | reads ~a:7@0 ~b:8@0; get a = 9; orphans = ~b:8@0; fileOrphans = ~b:8@0
          """)
  void end(String name, String story) {
    StoreStory.run("unread SECONDARY; eni 1 9; " + story);
  }

  @DisplayName("D83 D84 When addresses were released of which the file does not say it")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "a file of this boot, as it says",
    "a file of another boot, as it says",
    "a file of another program, PT0S",
    "no file, PT40S",
    "a damaged file put aside, PT0S",
    "the file before the last write, PT0S",
    "that of another boot, PT40S"
  })
  void unnoted(String start, String expected) {
    UnreadableCheckpoint damage = new UnreadableCheckpoint(Kind.CORRUPT, "cut");
    CheckpointData own = ofBoot("boot-1");
    CheckpointData earlier = ofBoot("boot-0");
    Read read =
        switch (start) {
          case "a file of this boot" -> new Read.Current(own);
          case "a file of another boot" -> new Read.Current(earlier);
          case "a file of another program" -> new Read.Current(CheckpointData.EMPTY);
          case "no file" -> new Read.Absent(Optional.empty());
          case "a damaged file put aside" -> new Read.Absent(Optional.of(damage));
          case "the file before the last write" -> new Read.Previous(own, damage);
          default -> new Read.Previous(earlier, damage);
        };
    RecoveryRules rules = IPV4.withBoot("boot-1").withBootAge(Duration.ofSeconds(40));
    assertThat(rules.unnoted()).as("unless it is asked for").isEmpty();
    assertThat(rules.coolingUnnoted(read).unnoted().map(Duration::toString).orElse("as it says"))
        .isEqualTo(expected);
  }

  private static CheckpointData ofBoot(String boot) {
    return new CheckpointData(
        List.of(), Optional.of(new CheckpointData.Extension(boot, 1, List.of(), List.of())), "");
  }

  // ---- the way from the container runtime to the file

  private static TestStore unread(String... addresses) {
    return new TestStore(
            CidrKind.SECONDARY, CooldownRule.DEFAULT, new VirtualTime(0), new CrashingFiles())
        .with("eni-1", 1, addresses);
  }

  private static CheckpointData sandboxes(String... ips) {
    return MigrationPhase.checkpoint(
        List.of(
            new MigrationPhase.Sandbox("c1", List.of(ips).stream().map(IpAddress::parse).toList()),
            new MigrationPhase.Sandbox("host", List.of())));
  }

  private static final RecoveryRules PHASE_1 = IPV4.withPhase(MigrationPhase.of(1));

  @Test
  @DisplayName(
      "D81 What the container runtime knows is written to the file at once, but for what is not here")
  void fromRuntime() {
    TestStore node = unread("10.0.0.7");
    RecoveryReport report = node.recover(sandboxes("10.0.0.7", "10.0.0.9", "10.0.0.9"), PHASE_1);
    assertThat(report.restored()).isEqualTo(1);
    assertThat(node.store.orphans()).isEmpty();
    assertThat(node.addressesInFile()).containsExactly("10.0.0.7");
  }

  private static StoreRefusal failed(TestStore node, CheckpointData data) {
    RecoveryOutcome outcome = node.ended(node.store.recover(data, PHASE_1));
    assertThat(outcome).isInstanceOf(RecoveryOutcome.Failed.class);
    assertThat(TestStore.refusal(node.assigning("b")).code())
        .isEqualTo(DatastoreError.NOT_RECOVERED);
    return ((RecoveryOutcome.Failed) outcome).refusal();
  }

  @Test
  @DisplayName("D81 When that cannot be written, or contradicts itself, the store serves nobody")
  void fromRuntimeFailed() {
    TestStore node = unread("10.0.0.7");
    node.files.fault(0, Fault.FAILS, 0);
    assertThat(failed(node, sandboxes("10.0.0.7")).code())
        .isEqualTo(DatastoreError.CHECKPOINT_FAILED);

    TestStore twice = unread("10.0.0.7");
    CheckpointData contradiction = sandboxes("10.0.0.7", "10.0.0.7");
    assertThat(failed(twice, contradiction).text())
        .isEqualTo("datastore: IP already in data store");
    assertThat(twice.assigned()).isZero();
    twice.store = DataStore.inMemory(twice.time, CidrKind.SECONDARY, CooldownRule.DEFAULT);
    twice.with("eni-1", 1, "10.0.0.7");
    assertThat(failed(twice, contradiction).text())
        .as("without a file, too")
        .isEqualTo("datastore: IP already in data store");
  }

  @Test
  @DisplayName("D81 Once the file is read, a failed write at the start is no fault of the start")
  void unwritten() {
    TestStore node = unread("10.0.0.7", "10.0.0.8");
    node.files.fault(0, Fault.FAILS, 0);
    CheckpointEntry entry =
        CheckpointEntry.of(TestStore.key("a"), IpAddress.parse("10.0.0.7"), 7, TestStore.POD);
    CheckpointData data = new CheckpointData(List.of(entry), Optional.empty(), "");
    assertThat(node.ended(node.store.recover(data, IPV4)))
        .isInstanceOfSatisfying(
            RecoveryOutcome.Recovered.class, it -> assertThat(it.unwritten()).isPresent());
    assertThat(node.store.unhealthy()).isPresent();
    node.assign("b");
    assertThat(node.addressesInFile()).containsExactly("10.0.0.7", "10.0.0.8");
  }

  @Test
  @DisplayName("D81 There are four phases")
  void phases() {
    assertThat(MigrationPhase.of(1).readsFile()).isFalse();
    assertThat(MigrationPhase.of(2).readsFile()).isTrue();
    assertThat(MigrationPhase.of(3).readsFile()).isTrue();
    for (int number : new int[] {-1, 4}) {
      assertThatThrownBy(() -> MigrationPhase.of(number))
          .hasMessage("checkpoint-phase is " + number + "; expected 0 to 3");
    }
  }
}
