package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.file.CrashingFiles;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualProcess.OnTheWire;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A store in virtual time whose file is in memory, and what tests ask of it in one line. */
final class TestStore {
  static final Path PATH = Path.of("/run/ipam.json");
  static final IpamMetadata POD = new IpamMetadata("default", "sample-pod", 1);
  private static final Duration WRITE = Duration.ofMillis(5);

  final VirtualTime time;
  final CrashingFiles files;
  final CidrKind mode;
  CooldownRule cooldown;
  DataStore store;
  private VirtualProcess process;
  private @Nullable Random slow;

  TestStore(CidrKind mode, CooldownRule cooldown, VirtualTime time, CrashingFiles files) {
    this.time = time;
    this.files = files;
    this.mode = mode;
    this.cooldown = cooldown;
    this.process = time.process("ipamd");
    this.store = restarted();
  }

  /** One that has been recovered from nothing. */
  static TestStore of(CidrKind mode, CooldownRule cooldown) {
    TestStore made = new TestStore(mode, cooldown, new VirtualTime(0), new CrashingFiles());
    made.recover(CheckpointData.EMPTY);
    return made;
  }

  static TestStore addresses() {
    return of(CidrKind.SECONDARY, CooldownRule.DEFAULT);
  }

  static TestStore prefixes() {
    return of(CidrKind.PREFIX, CooldownRule.DEFAULT);
  }

  /** Another program begins with the same file, after the end of this one; it has not read it. */
  final DataStore restarted() {
    process.crash(OnTheWire.IS_LOST);
    process = time.process("ipamd");
    store =
        DataStore.durable(
            time,
            mode,
            cooldown,
            process.effects((site, timeout) -> write()),
            new CheckpointFile(PATH, files),
            "boot-1");
    return store;
  }

  /** The content that a start reads. */
  CheckpointData read() throws IOException {
    return read(new CheckpointFile(PATH, files).restore());
  }

  private EffectFate write() {
    return slow == null
        ? EffectFate.answered(WRITE, Duration.ZERO)
        : EffectFate.answered(slowly(slow), slowly(slow));
  }

  private static Duration slowly(Random random) {
    return Duration.ofMillis(random.nextInt(random.nextInt(3) == 0 ? 8_000 : 20));
  }

  /** From now on writes, and their answers, take random times; with null 5 ms again. */
  void slow(@Nullable Random random) {
    slow = random;
  }

  RecoveryReport recover(CheckpointData data) {
    return recover(data, RecoveryRules.of(IpFamily.IPV4).withBoot("boot-1"));
  }

  RecoveryReport recover(CheckpointData data, RecoveryRules rules) {
    RecoveryOutcome outcome = ended(store.recover(data, rules));
    assertThat(outcome).isInstanceOf(RecoveryOutcome.Recovered.class);
    return ((RecoveryOutcome.Recovered) outcome).report();
  }

  /** The content of the file. */
  CheckpointData inFile() {
    try {
      return read();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static CheckpointData read(CheckpointFile.Read read) {
    if (read instanceof CheckpointFile.Read.Current current) {
      return current.data();
    }
    if (read instanceof CheckpointFile.Read.Previous previous) {
      return previous.data();
    }
    assertThat(read)
        .as("DI10 a start reads the file")
        .isInstanceOf(CheckpointFile.Read.Absent.class);
    return CheckpointData.EMPTY;
  }

  // ---- what it is made of

  static StoreEniSpec eni(String id, int device) {
    return new StoreEniSpec(
        id, device, device == 0, false, false, StoreEniSpec.routeTable(0, device), "subnet-1");
  }

  TestStore with(StoreEniSpec eni, String... cidrs) {
    assertThat(store.addEni(eni)).isEmpty();
    for (String cidr : cidrs) {
      assertThat(add(eni.id(), cidr)).isEmpty();
    }
    return this;
  }

  TestStore with(String eniId, int device, String... cidrs) {
    return with(eni(eniId, device), cidrs);
  }

  /** A text with a length is a prefix. */
  Optional<StoreRefusal> add(String eniId, String text) {
    return store.addCidr(eniId, cidr(text), kind(text));
  }

  static CidrKind kind(String text) {
    return text.contains("/") ? CidrKind.PREFIX : CidrKind.SECONDARY;
  }

  static Cidr cidr(String text) {
    return text.contains("/") ? Cidr.parse(text) : Cidr.single(IpAddress.parse(text));
  }

  Optional<StoreRefusal> remove(String eniId, String text, Removal removal) {
    return store.removeCidr(eniId, cidr(text), removal);
  }

  // ---- requests

  static IpamKey key(String container) {
    return new IpamKey("aws-cni", container, "eth0");
  }

  <T> T ended(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    for (int i = 0; i < 100 && !future.isDone(); i++) {
      time.runUntil(time.nanos() + WRITE.toNanos());
    }
    assertThat(future).isCompleted();
    return future.getNow(null);
  }

  AssignOutcome assigning(String container) {
    return ended(store.assign(key(container), POD, IpFamily.IPV4));
  }

  AssignOutcome assigning6(String container) {
    return ended(store.assign(key(container), POD, IpFamily.IPV6));
  }

  Assignment assign(String container) {
    return granted(assigning(container)).assignment();
  }

  Assignment assign6(String container) {
    return granted(assigning6(container)).assignment();
  }

  /** The address that a sandbox gets. */
  String ip(String container) {
    return assign(container).address().toString();
  }

  static AssignOutcome.Granted granted(AssignOutcome outcome) {
    assertThat(outcome).isInstanceOf(AssignOutcome.Granted.class);
    return (AssignOutcome.Granted) outcome;
  }

  AssignOutcome.Reason none(String container) {
    AssignOutcome outcome = assigning(container);
    assertThat(outcome).isInstanceOf(AssignOutcome.NoAddress.class);
    return ((AssignOutcome.NoAddress) outcome).reason();
  }

  static StoreRefusal refusal(Object outcome) {
    if (outcome instanceof AssignOutcome.Refused refused) {
      return refused.refusal();
    }
    assertThat(outcome).isInstanceOf(StoreReleaseOutcome.Refused.class);
    return ((StoreReleaseOutcome.Refused) outcome).refusal();
  }

  StoreReleaseOutcome releasing(String container) {
    return ended(store.release(key(container)));
  }

  StoreReleaseOutcome.Released release(String container) {
    StoreReleaseOutcome outcome = releasing(container);
    assertThat(outcome).isInstanceOf(StoreReleaseOutcome.Released.class);
    return (StoreReleaseOutcome.Released) outcome;
  }

  void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  /** Longer than any pause. */
  void passCooldown() {
    pass(cooldown.period().plusSeconds(1));
  }

  // ---- what it shows

  /** All addresses, whatever is assigned from. */
  long total() {
    return store.view().enis().stream()
        .flatMap(eni -> eni.cidrs().stream())
        .mapToLong(PoolView.CidrView::size)
        .sum();
  }

  int assigned() {
    return store.assigned().size();
  }

  DatastoreStats stats() {
    return store.view().stats(IpFamily.IPV4);
  }

  /** The addresses in the file. */
  List<String> addressesInFile() {
    List<String> all = new ArrayList<>();
    inFile()
        .allocations()
        .forEach(entry -> all.add(entry.ipv4().or(entry::ipv6).orElseThrow().toString()));
    return all;
  }
}
