package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.checkpoint.IpamMetadata;
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
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What a store takes up from a checkpoint")
class RecoveryTest {
  private static final RecoveryRules IPV4 = RecoveryRules.of(IpFamily.IPV4);
  private static final Duration GRACE = Duration.ofMinutes(5);

  private static TestStore unrecovered(CidrKind mode) {
    return new TestStore(mode, CooldownRule.DEFAULT, new VirtualTime(0), new CrashingFiles());
  }

  private static CheckpointEntry entry(String container, String ip, long nanos) {
    return CheckpointEntry.of(TestStore.key(container), IpAddress.parse(ip), nanos, TestStore.POD);
  }

  private static CheckpointData of(CheckpointEntry... entries) {
    return new CheckpointData(List.of(entries), Optional.empty(), "");
  }

  /** A second program, with the same interface and the file of the first. */
  private static TestStore restarted(TestStore before, String... cidrs) {
    CheckpointData data = before.inFile();
    before.restarted();
    before.with("eni-1", 1, cidrs);
    before.recover(data);
    return before;
  }

  @Test
  @DisplayName("D71 DI6 Before it has read the file a store serves nobody and writes nothing")
  void closed() {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
    assertThat(TestStore.refusal(node.assigning("a")).code())
        .isEqualTo(DatastoreError.NOT_RECOVERED);
    assertThat(TestStore.refusal(node.releasing("a")).code())
        .isEqualTo(DatastoreError.NOT_RECOVERED);
    assertThat(node.store.unhealthy()).contains("the checkpoint has not been read yet");
    assertThat(node.files.changes()).isEmpty();
    assertThat(node.recover(CheckpointData.EMPTY).restored()).isZero();
    assertThat(node.ip("a")).isEqualTo("10.0.0.7");
    assertThat(node.store.unhealthy()).isEmpty();
  }

  @Test
  @DisplayName("D73 D75 DI5 Assignments are taken up with metadata and time to the nanosecond")
  void placed() {
    TestStore node = unrecovered(CidrKind.PREFIX).with("eni-1", 1, "10.0.0.0/28", "10.1.0.7");
    CheckpointEntry first = entry("a", "10.0.0.3", 1_700_000_000_123_456_789L);
    CheckpointEntry other = entry("b", "10.1.0.7", 7);
    RecoveryReport report = node.recover(of(first, other));
    assertThat(report).isEqualTo(new RecoveryReport(2, 0, 0, List.of(), 0, false, false));
    assertThat(node.store.assigned())
        .extracting(DataStore.Assigned::entry)
        .containsExactly(first, other);
    assertThat(node.ip("a")).isEqualTo("10.0.0.3");
    assertThat(node.ip("c")).as("a hole is filled").isEqualTo("10.0.0.0");
    assertThat(node.inFile().allocations()).contains(first, other);
    assertThat(node.release("b").assignments().get(0).address()).hasToString("10.1.0.7");
  }

  @Test
  @DisplayName("D73 Recovery before the interfaces are there loses nothing")
  void tooEarly() {
    TestStore node = unrecovered(CidrKind.SECONDARY);
    CheckpointEntry first = entry("a", "10.0.0.7", 7);
    assertThat(node.recover(of(first)).orphans()).isEqualTo(1);
    assertThat(node.inFile().allocations()).isEmpty();
    assertThat(node.inFile().extension().orElseThrow().orphans()).containsExactly(first);
    node.with("eni-1", 1, "10.0.0.7", "10.0.0.8");
    assertThat(node.store.orphans()).isEmpty();
    assertThat(node.ip("a")).isEqualTo("10.0.0.7");
    node.pass(Duration.ofSeconds(1));
    assertThat(node.inFile().allocations()).containsExactly(first);
    assertThat(node.inFile().extension().orElseThrow().orphans()).isEmpty();
  }

  @Test
  @DisplayName(
      "D73 DI7 An orphan survives restarts, and is forgotten when the cloud confirms and five minutes passed")
  void orphans() {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.8");
    CheckpointEntry lost = entry("a", "10.0.0.7", 7);
    node.recover(of(lost));
    restarted(node, "10.0.0.8");
    assertThat(node.store.orphans()).extracting(Orphan::entry).containsExactly(lost);
    List<IpAddress> detached = List.of(IpAddress.parse("10.0.0.7"));
    assertThat(node.store.confirmDetached(detached)).isZero();
    node.pass(GRACE);
    assertThat(node.store.confirmDetached(List.of(IpAddress.parse("10.0.0.9")))).isZero();
    assertThat(node.store.confirmDetached(detached)).isEqualTo(1);
    node.pass(Duration.ofSeconds(1));
    assertThat(node.store.orphans()).isEmpty();
    assertThat(node.inFile().extension().orElseThrow().orphans()).isEmpty();
  }

  @Test
  @DisplayName("D73 DI7 The address of an orphan that was released cools when it comes back")
  void orphanReleased() {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.8");
    node.recover(of(entry("a", "10.0.0.7", 7)));
    assertThat(node.releasing("a")).isInstanceOf(StoreReleaseOutcome.Unknown.class);
    assertThat(node.store.orphans()).isEmpty();
    restarted(node, "10.0.0.8");
    assertThat(node.add("eni-1", "10.0.0.7")).isEmpty();
    assertThat(node.ip("b")).isEqualTo("10.0.0.8");
    assertThat(node.none("c")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    node.passCooldown();
    assertThat(node.ip("c")).isEqualTo("10.0.0.7");
  }

  @Test
  @DisplayName("D73 A sandbox whose address is gone gets another one, and its orphan ends")
  void orphanReplaced() {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.8");
    node.recover(of(entry("a", "10.0.0.7", 7)));
    assertThat(node.ip("a")).isEqualTo("10.0.0.8");
    assertThat(node.store.orphans()).isEmpty();
    node.pass(Duration.ofSeconds(1));
    assertThat(node.inFile().extension().orElseThrow().orphans()).isEmpty();
  }

  @Test
  @DisplayName("D74 DI1 Of two assignments of one address the newest counts, and the other is kept")
  void duplicates() {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
    CheckpointEntry old = entry("a", "10.0.0.7", 7);
    CheckpointEntry young = entry("b", "10.0.0.7", 8);
    RecoveryReport report = node.recover(of(old, young, young));
    assertThat(report.restored()).isEqualTo(1);
    assertThat(report.duplicates()).isEqualTo(1);
    assertThat(node.store.assigned()).extracting(DataStore.Assigned::entry).containsExactly(young);
    assertThat(node.store.orphans()).extracting(Orphan::entry).containsExactly(old);
    assertThat(node.releasing("a"))
        .as("the rules of the other one stay")
        .isEqualTo(new StoreReleaseOutcome.Unknown(Optional.empty()));
    assertThat(node.addressesInFile()).containsExactly("10.0.0.7");
    assertThat(node.inFile().extension().orElseThrow().cooldown()).isEmpty();
  }

  @Test
  @DisplayName("D74 DI12 Of two that are as new it is the same one, in whatever order the file is")
  void duplicatesAtOnce() {
    CheckpointEntry one = entry("a", "10.0.0.7", 7);
    CheckpointEntry other = entry("b", "10.0.0.7", 7);
    for (CheckpointData data : List.of(of(one, other), of(other, one))) {
      TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
      node.recover(data);
      assertThat(node.store.orphans()).extracting(Orphan::entry).containsExactly(other);
    }
  }

  @Test
  @DisplayName("D74 DI1 An address that a third pod has stays its own when the other one ends")
  void endOfDuplicate() {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
    node.recover(of(entry("a", "10.0.0.7", 7), entry("b", "10.0.0.7", 8)));
    node.release("b");
    node.passCooldown();
    assertThat(node.ip("c")).isEqualTo("10.0.0.7");
    assertThat(node.releasing("a")).isInstanceOf(StoreReleaseOutcome.Unknown.class);
    node.passCooldown();
    assertThat(node.none("d")).isEqualTo(AssignOutcome.Reason.ALL_ASSIGNED);
  }

  @Test
  @DisplayName("D73 Two addresses of one sandbox are both kept, and both released")
  void twoOfOne() {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7", "10.0.0.8");
    node.recover(of(entry("a", "10.0.0.7", 7), entry("a", "10.0.0.8", 8)));
    assertThat(node.assigned()).isEqualTo(2);
    assertThat(node.release("a").assignments()).hasSize(2);
    assertThat(node.addressesInFile()).isEmpty();
  }

  @Test
  @DisplayName("An assignment of the other family is kept as an orphan")
  void otherFamily() {
    TestStore node = unrecovered(CidrKind.PREFIX).with("eni-1", 1, "2001:db8::/80");
    RecoveryReport report =
        node.recover(
            of(entry("a", "10.0.0.7", 7), entry("b", "2001:db8::5", 8)),
            RecoveryRules.of(IpFamily.IPV6));
    assertThat(report.restored()).isEqualTo(1);
    assertThat(report.orphans()).isEqualTo(1);
    assertThat(node.assign6("b").address()).hasToString("2001:db8::5");
  }

  @Test
  @DisplayName("Recovering twice is the same as once")
  void twice() {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
    CheckpointData data = of(entry("a", "10.0.0.7", 7));
    assertThat(node.recover(data)).isEqualTo(node.recover(data));
    assertThat(node.assigned()).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "D79 Assignments of sandboxes that do not exist are dropped and told; those of old versions stay")
  void liveness() {
    TestStore node =
        unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7", "10.0.0.8", "10.0.0.9");
    CheckpointEntry dead = entry("a", "10.0.0.7", 7);
    CheckpointEntry withoutName = named("b", "10.0.0.8", "default", "");
    CheckpointEntry withoutNamespace = named("c", "10.0.0.9", "", "sample-pod");
    RecoveryReport report =
        node.recover(of(dead, withoutName, withoutNamespace), IPV4.withAlive(entry -> false));
    assertThat(report.stale()).containsExactly(dead);
    assertThat(node.store.assigned())
        .extracting(DataStore.Assigned::entry)
        .containsExactly(withoutName, withoutNamespace);
    assertThat(node.none("d")).as("DI7").isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    node.passCooldown();
    assertThat(node.ip("d")).isEqualTo("10.0.0.7");
  }

  private static CheckpointEntry named(String container, String ip, String namespace, String pod) {
    return CheckpointEntry.of(
        TestStore.key(container), IpAddress.parse(ip), 0, new IpamMetadata(namespace, pod, 1));
  }

  @Test
  @DisplayName("D79 When it is not known which sandboxes exist, all assignments are kept")
  void livenessUnknown() {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
    RecoveryReport report =
        node.recover(
            of(entry("a", "10.0.0.7", 7)),
            IPV4.withAlive(
                entry -> {
                  throw new IllegalStateException("no list of interfaces");
                }));
    assertThat(report.livenessUnknown()).isTrue();
    assertThat(report.restored()).isEqualTo(1);
  }

  @Test
  @DisplayName("D83 D110 DI7 An address that cools cools over a restart, for the rest of its time")
  void cooling() {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7", "10.0.0.8");
    node.recover(CheckpointData.EMPTY);
    for (String pod : List.of("a", "b")) {
      node.assign(pod);
    }
    for (String pod : List.of("a", "b")) {
      node.release(pod);
    }
    node.pass(Duration.ofSeconds(60));
    restarted(node, "10.0.0.7", "10.0.0.8");
    assertThat(node.none("c")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    node.pass(Duration.ofSeconds(69));
    assertThat(node.none("c")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    node.pass(Duration.ofSeconds(2));
    assertThat(node.ip("c")).isEqualTo("10.0.0.7");
    assertThat(node.inFile().extension().orElseThrow().cooldown()).isEmpty();
  }

  @Test
  @DisplayName(
      "D110 An address that cools keeps that when its interface is added after the recovery")
  void coolingLater() {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
    node.recover(CheckpointData.EMPTY);
    node.assign("a");
    node.release("a");
    CheckpointData data = node.inFile();
    node.restarted();
    node.recover(data);
    node.with("eni-1", 1, "10.0.0.7");
    assertThat(node.none("b")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
  }

  @ParameterizedTest(
      name = "D110 A stamp {0} seconds in the future counts as now, never as negative")
  @ValueSource(longs = {0, 1, 1_000_000})
  void clockSetBack(long seconds) {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
    long now = node.time.epochMillis() * 1_000_000;
    CheckpointData.Released stamp =
        new CheckpointData.Released(
            IpAddress.parse("10.0.0.7"), now + Duration.ofSeconds(seconds).toNanos());
    CheckpointData.Extension extension =
        new CheckpointData.Extension("boot-1", 1, List.of(stamp), List.of());
    node.recover(new CheckpointData(List.of(), Optional.of(extension), ""));
    node.pass(Duration.ofSeconds(129));
    assertThat(node.none("b")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    node.pass(Duration.ofSeconds(2));
    assertThat(node.ip("b")).isEqualTo("10.0.0.7");
  }

  @Test
  @DisplayName("D111 Another period applies to what cools already")
  void otherPeriod() {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
    node.recover(CheckpointData.EMPTY);
    node.assign("a");
    node.release("a");
    node.pass(Duration.ofSeconds(31));
    TestStore shorter =
        new TestStore(CidrKind.SECONDARY, CooldownRule.UPSTREAM, node.time, node.files);
    shorter.with("eni-1", 1, "10.0.0.7");
    assertThat(shorter.recover(node.inFile()).cooling()).isZero();
    assertThat(shorter.ip("b")).isEqualTo("10.0.0.7");
  }

  @Test
  @DisplayName("D83 After a file without stamps all that is not assigned cools for one period")
  void allCool() {
    TestStore node = unrecovered(CidrKind.PREFIX).with("eni-1", 1, "10.0.0.0/28");
    Read.Current other = new Read.Current(of(entry("a", "10.0.0.7", 7)));
    assertThat(node.recover(other.data(), IPV4.coolingUnnoted(other)).cooling()).isEqualTo(15);
    assertThat(node.ip("a")).isEqualTo("10.0.0.7");
    assertThat(node.none("b")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    assertThat(node.add("eni-1", "10.0.0.16/28")).isEmpty();
    assertThat(node.ip("b")).as("what comes later is new").isEqualTo("10.0.0.16");
    restarted(node, "10.0.0.0/28", "10.0.0.16/28");
    assertThat(node.stats().cooling()).as("as the file says now").isEqualTo(15);
    node.passCooldown();
    assertThat(node.stats().cooling()).isZero();
  }

  @Test
  @DisplayName("D83 DI1 What is assigned does not cool, and nobody else gets it after the cooldown")
  void allCoolButAssigned() {
    TestStore node = unrecovered(CidrKind.PREFIX).with("eni-1", 1, "10.0.0.0/30");
    Read.Current other = new Read.Current(of(entry("a", "10.0.0.2", 7)));
    node.recover(other.data(), IPV4.coolingUnnoted(other));
    node.passCooldown();
    assertThat(List.of(node.ip("b"), node.ip("c"), node.ip("d"), node.ip("a")))
        .containsExactly("10.0.0.0", "10.0.0.1", "10.0.0.3", "10.0.0.2");
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

  @Test
  @DisplayName(
      "D83 Without a file addresses cool since the machine started, and new ones not at all")
  void absent() {
    RecoveryRules rules = IPV4.withBootAge(Duration.ofSeconds(100));
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
    node.recover(CheckpointData.EMPTY, rules.coolingUnnoted(new Read.Absent(Optional.empty())));
    assertThat(node.none("a")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    assertThat(node.add("eni-1", "10.0.0.8")).isEmpty();
    assertThat(node.ip("a")).as("the first pod gets what the node grows by").isEqualTo("10.0.0.8");
    assertThat(node.store.coolingWithoutRecord()).isEqualTo(1);
    node.pass(Duration.ofSeconds(31));
    assertThat(node.store.coolingWithoutRecord()).isZero();
    assertThat(node.ip("b")).isEqualTo("10.0.0.7");

    TestStore late = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
    late.recover(
        CheckpointData.EMPTY,
        IPV4.withBootAge(Duration.ofDays(1)).coolingUnnoted(new Read.Absent(Optional.empty())));
    assertThat(late.ip("a")).isEqualTo("10.0.0.7");
  }

  @Test
  @DisplayName("D83 D125 Of a /80 the lowest addresses cool, since they are assigned first")
  void allCoolIpv6() {
    TestStore node = unrecovered(CidrKind.PREFIX).with("eni-0", 0, "2001:db8::/80");
    RecoveryRules rules =
        RecoveryRules.of(IpFamily.IPV6).coolingUnnoted(new Read.Current(CheckpointData.EMPTY));
    assertThat(node.recover(CheckpointData.EMPTY, rules).cooling()).isEqualTo(1024);
    assertThat(node.assign6("a").address()).hasToString("2001:db8::400");
  }

  @Test
  @DisplayName("D17 D108 What a pod had before the mode changed is not assigned early either")
  void otherMode() {
    TestStore node = unrecovered(CidrKind.PREFIX).with("eni-1", 1, "10.0.0.7");
    node.recover(of(entry("a", "10.0.0.7", 7)));
    node.release("a");
    node.store.growable(false);
    node.pass(Duration.ofSeconds(60));
    assertThat(node.none("b")).isEqualTo(AssignOutcome.Reason.WRONG_MODE);
  }

  @Test
  @DisplayName("D84 A file of another boot has no assignments; one of this or an unknown boot has")
  void reboot() {
    for (String boot : List.of("boot-1", "boot-2", "")) {
      TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
      node.recover(CheckpointData.EMPTY);
      node.assign("a");
      CheckpointData data = node.inFile();
      node.restarted();
      node.with("eni-1", 1, "10.0.0.7");
      RecoveryReport report = node.recover(data, IPV4.withBoot(boot));
      assertThat(report.rebooted()).isEqualTo(boot.equals("boot-2"));
      assertThat(report.restored()).isEqualTo(boot.equals("boot-2") ? 0 : 1);
      assertThat(report.stale()).isEmpty();
    }
  }

  @Test
  @DisplayName("D84 DI7 What pods of another boot had cools since the machine started, here or not")
  void rebootCools() {
    TestStore node =
        unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7", "10.0.0.8", "10.0.0.9");
    node.recover(of(entry("gone", "10.0.0.6", 7)));
    node.assign("a");
    node.assign("b");
    node.release("b");
    CheckpointData data = node.inFile();
    node.pass(Duration.ofSeconds(50));
    node.restarted();
    node.with("eni-1", 1, "10.0.0.7", "10.0.0.8", "10.0.0.9");
    RecoveryReport report =
        node.recover(data, IPV4.withBoot("boot-2").withBootAge(Duration.ofSeconds(30)));
    assertThat(report.cooling()).as("two of pods, and one that was released").isEqualTo(3);
    assertThat(node.store.orphans()).isEmpty();
    assertThat(node.ip("c")).as("never assigned").isEqualTo("10.0.0.9");
    assertThat(node.add("eni-1", "10.0.0.6")).isEmpty();
    node.pass(Duration.ofSeconds(81));
    assertThat(node.ip("d")).as("released 131 seconds ago").isEqualTo("10.0.0.8");
    assertThat(node.none("e")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    node.pass(Duration.ofSeconds(20));
    assertThat(List.of(node.ip("e"), node.ip("f")))
        .containsExactlyInAnyOrder("10.0.0.6", "10.0.0.7");
  }

  @ParameterizedTest(name = "D84 DI7 released {0} s ago, {1} s after the start of the machine")
  @DisplayName("Of a release and the start of the machine the later one counts")
  @CsvSource({"0, 100", "120, 40"})
  void releasedAfterBoot(int releasedAgo, int bootAgo) {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1);
    node.pass(Duration.ofSeconds(releasedAgo));
    CheckpointData.Released stamp =
        new CheckpointData.Released(
            IpAddress.parse("10.0.0.7"),
            (node.time.epochMillis() - releasedAgo * 1_000L) * 1_000_000);
    CheckpointData.Extension extension =
        new CheckpointData.Extension(
            "boot-0", 1, List.of(stamp), List.of(entry("a", "10.0.0.7", 7)));
    node.recover(
        new CheckpointData(List.of(), Optional.of(extension), ""),
        IPV4.withBoot("boot-1").withBootAge(Duration.ofSeconds(bootAgo)));
    node.pass(Duration.ofSeconds(80));
    assertThat(node.add("eni-1", "10.0.0.7")).isEmpty();
    assertThat(node.none("b")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    node.pass(Duration.ofSeconds(51));
    assertThat(node.ip("b")).isEqualTo("10.0.0.7");
  }

  // ---- the way from the container runtime to the file

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
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
    RecoveryReport report = node.recover(sandboxes("10.0.0.7", "10.0.0.9", "10.0.0.9"), PHASE_1);
    assertThat(report.restored()).isEqualTo(1);
    assertThat(node.store.orphans()).isEmpty();
    assertThat(node.addressesInFile()).containsExactly("10.0.0.7");
  }

  @Test
  @DisplayName("D81 When that cannot be written, or contradicts itself, the store serves nobody")
  void fromRuntimeFailed() {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
    node.files.fault(0, Fault.FAILS, 0);
    RecoveryOutcome outcome = node.ended(node.store.recover(sandboxes("10.0.0.7"), PHASE_1));
    assertThat(outcome)
        .isInstanceOfSatisfying(
            RecoveryOutcome.Failed.class,
            it -> assertThat(it.refusal().code()).isEqualTo(DatastoreError.CHECKPOINT_FAILED));
    assertThat(TestStore.refusal(node.assigning("b")).code())
        .isEqualTo(DatastoreError.NOT_RECOVERED);

    TestStore twice = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7");
    assertThat(twice.ended(twice.store.recover(sandboxes("10.0.0.7", "10.0.0.7"), PHASE_1)))
        .isInstanceOfSatisfying(
            RecoveryOutcome.Failed.class,
            it -> assertThat(it.refusal().text()).isEqualTo("datastore: IP already in data store"));
    assertThat(twice.assigned()).isZero();

    twice.store = DataStore.inMemory(twice.time, CidrKind.SECONDARY, CooldownRule.DEFAULT);
    twice.with("eni-1", 1, "10.0.0.7");
    assertThat(twice.ended(twice.store.recover(sandboxes("10.0.0.7", "10.0.0.7"), PHASE_1)))
        .isInstanceOf(RecoveryOutcome.Failed.class);
    assertThat(TestStore.refusal(twice.assigning("b")).code())
        .as("without a file, too")
        .isEqualTo(DatastoreError.NOT_RECOVERED);
  }

  @Test
  @DisplayName("D81 Once the file is read, a failed write at the start is no fault of the start")
  void unwritten() {
    TestStore node = unrecovered(CidrKind.SECONDARY).with("eni-1", 1, "10.0.0.7", "10.0.0.8");
    node.files.fault(0, Fault.FAILS, 0);
    RecoveryOutcome outcome = node.ended(node.store.recover(of(entry("a", "10.0.0.7", 7)), IPV4));
    assertThat(outcome)
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
