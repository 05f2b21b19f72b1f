package io.tidemark.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.MultiCardStore;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.RecoveryOutcome;
import io.tidemark.datastore.RecoveryRules;
import io.tidemark.datastore.StoreReleaseOutcome;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.Profile;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.demand.DemandSettings;
import io.tidemark.file.CrashingFiles;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A node in virtual time whose loop uses a scripted {@link FakeCloud}. */
final class TestLoop implements EffectModel, FakeCloudClient.Faults {
  static final Duration SECOND = Duration.ofSeconds(1);
  static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration TRAVEL = Duration.ofMillis(5);

  final VirtualTime time = new VirtualTime(0);
  final CrashingFiles files = new CrashingFiles();
  final FakeCloud cloud;
  final CidrKind mode;
  final WarmTargets warm;
  IpFamily family = IpFamily.IPV4;
  Optional<DemandSettings> demand = Optional.empty();
  CooldownRule cooldown = CooldownRule.DEFAULT;
  int maxPods = Integer.MAX_VALUE;
  boolean limitsKnown = true;

  EffectModel network = this;
  FakeCloudClient.Faults faults = this;

  /** The fates of the next requests of a kind; when there are none all goes well. */
  final Deque<EffectFate> fates = new ArrayDeque<>();

  final Deque<Reason> refusals = new ArrayDeque<>();

  /** Which requests the fates are for. */
  String fatesFor = "";

  boolean readsFail;
  UnaryOperator<List<CloudEni>> shown = enis -> enis;

  VirtualProcess process;
  DataStore store;
  CheckedCloud client;
  PoolReconciler loop;

  TestLoop(CidrKind mode, WarmTargets warm, int slots, int maxEnis) {
    this.mode = mode;
    this.warm = warm;
    this.cloud = new FakeCloud(time, slots, maxEnis);
    this.process = time.process("ipamd");
    this.store = newStore();
    this.client = newClient();
    this.loop = newLoop();
  }

  static WarmTargets targets(int warmIp, int minIp) {
    return new WarmTargets(OptionalInt.of(warmIp), OptionalInt.of(minIp), 0, 1);
  }

  /** A node with two interfaces that needs one; each has an address. */
  static TestLoop twoEnis() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, targets(1, 0), 3, 3);
    String second = node.cloud.attachByOthers(true);
    node.cloud.addByOthers(FakeCloud.PRIMARY, CidrKind.SECONDARY, 1);
    node.cloud.addByOthers(second, CidrKind.SECONDARY, 1);
    return node;
  }

  /** Single addresses, ten of an interface, four interfaces; not started. */
  static TestLoop addresses(int warmIp, int minIp) {
    return new TestLoop(CidrKind.SECONDARY, targets(warmIp, minIp), 10, 4);
  }

  private DataStore newStore() {
    return DataStore.durable(
        process.time(), mode, cooldown, process.effects(network), file(), "boot-1");
  }

  private CheckedCloud newClient() {
    return new CheckedCloud(new FakeCloudClient(cloud, process.effects(network), faults), time);
  }

  private CheckpointFile file() {
    return new CheckpointFile(Path.of("/run/ipam.json"), files);
  }

  private PoolReconciler newLoop() {
    return newLoop(client);
  }

  private PoolReconciler newLoop(InterfaceCloud behind) {
    return new PoolReconciler(
        new MultiCardStore(Map.of(0, store)),
        behind,
        new PoolTargets(
            family,
            warm,
            () ->
                limitsKnown
                    ? Optional.of(new PoolLimits(cloud.slots, cloud.maxEnis, 0, 0, maxPods))
                    : Optional.empty(),
            Profile.TIDEMARK,
            demand),
        process,
        new Random(1));
  }

  /** The same node, whose loop calls another cloud. */
  TestLoop on(InterfaceCloud behind) {
    loop = newLoop(behind);
    return this;
  }

  /** Another program begins; it has not read anything. */
  TestLoop restarted() {
    process.crash(VirtualProcess.OnTheWire.ARRIVES);
    process = time.process("ipamd");
    store = newStore();
    client = newClient();
    loop = newLoop();
    return this;
  }

  /** Reads the cloud and the file, and begins to look. */
  TestLoop started() {
    assertThat(ended(loop.fill())).isTrue();
    recover();
    loop.start();
    return this;
  }

  void recover() {
    RecoveryRules rules = RecoveryRules.of(family).withBoot("boot-1");
    assertThat(ended(store.recover(inFile(), rules))).isInstanceOf(RecoveryOutcome.Recovered.class);
  }

  CheckpointData inFile() {
    try {
      Read read = file().read(CheckpointFile.DataLoss.REFUSED);
      return read instanceof Read.Current current ? current.data() : CheckpointData.EMPTY;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  // ---- faults

  @Override
  public EffectFate decide(EffectSite site, Duration timeout) {
    if (readsFail && site.operation().equals("read")) {
      return EffectFate.requestLost();
    }
    return !fates.isEmpty() && site.operation().equals(fatesFor)
        ? fates.remove()
        : EffectFate.answered(TRAVEL, TRAVEL);
  }

  @Override
  public @Nullable Reason refusal(String operation) {
    return refusals.poll();
  }

  @Override
  public List<CloudEni> shown(FakeCloud of) {
    return shown.apply(of.now());
  }

  void fate(String operation, EffectFate fate) {
    fatesFor = operation;
    fates.add(fate);
  }

  // ---- time and requests

  void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  /** Until another read has been answered. */
  void nextRead() {
    int reads = calls("read").size();
    for (int i = 0; i < 1_000 && calls("read").size() == reads; i++) {
      pass(SECOND);
    }
    pass(SECOND);
  }

  <T> T ended(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    for (int i = 0; i < 10_000 && !future.isDone(); i++) {
      pass(TRAVEL);
    }
    assertThat(future).isCompleted();
    return future.getNow(null);
  }

  static IpamKey key(String pod) {
    return new IpamKey("aws-cni", pod, "eth0");
  }

  /** The address that a pod gets, or why it gets none. */
  String add(String pod) {
    AssignOutcome outcome =
        ended(store.assign(key(pod), new IpamMetadata("default", pod, 1), family));
    loop.request();
    return outcome instanceof AssignOutcome.Granted granted
        ? granted.assignment().address().toString()
        : outcome instanceof AssignOutcome.NoAddress none
            ? none.reason().toString()
            : String.valueOf(outcome);
  }

  void del(String pod) {
    assertThat(ended(store.release(key(pod)))).isInstanceOf(StoreReleaseOutcome.Released.class);
    loop.request();
  }

  // ---- what it shows

  PoolView view() {
    return store.view();
  }

  Set<Cidr> inStore() {
    return view().enis().stream()
        .flatMap(eni -> eni.cidrs().stream())
        .map(CidrView::cidr)
        .collect(Collectors.toSet());
  }

  /** The calls of one kind since the start. */
  List<String> calls(String kind) {
    return client.calls.stream().filter(call -> call.startsWith(kind)).toList();
  }
}
