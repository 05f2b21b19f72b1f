package io.tidemark.it.ipamd;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.cloud.CheckedCloud;
import io.tidemark.datastore.cloud.PoolChecks;
import io.tidemark.datastore.cloud.PoolReconciler;
import io.tidemark.datastore.cloud.PoolRun;
import io.tidemark.datastore.cloud.PoolWorld;
import io.tidemark.datastore.cloud.RandomFaults;
import io.tidemark.datastore.cloud.RandomPods;
import io.tidemark.datastore.cloud.RandomPool;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.file.CrashingFiles;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.metadata.InstanceInterface;
import io.tidemark.provider.aws.simulation.InstanceEc2;
import io.tidemark.simulation.cloud.CloudChange;
import io.tidemark.simulation.cloud.CloudInterface;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualProcess.OnTheWire;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * A node on the strict EC2 whose pods come and go while EC2, the network and the program fail at
 * random. Finds the first thing that must not happen.
 */
public final class Ec2Pool implements PoolWorld, PoolRun.Trouble {
  private static final Duration CHURN = Duration.ofMinutes(20);

  /** The longest time until an interface without a clear end is deleted, and pauses before. */
  private static final Duration SETTLE = Duration.ofMinutes(45);

  private static final long EPOCH_MILLIS = 1_767_225_600_000L;

  private final Random random;
  private final VirtualTime time = new VirtualTime(EPOCH_MILLIS);
  private final CrashingFiles files = new CrashingFiles();
  private final InstanceShape type;
  private final NodeProgram.Setting setting;
  private final RandomFaults network;
  private final Ec2Faults faults;
  private final InstanceEc2 cloud;
  private final HostHook hook;
  private final PoolChecks checks = new PoolChecks(this);
  private final RandomPods pods;
  private final OtherOwners others;
  private final Duration churn;
  private final boolean neighbours;
  private final List<String> changes = new ArrayList<>();

  private int withoutEc2;
  private NodeProgram program;

  /** Faults of all kinds, by the number of the world. */
  Ec2Pool(long seed) {
    this(seed, CHURN, true);
  }

  /** No fault but one crash, before or after the effect of a number. */
  static Ec2Pool crashing(long seed, int effect, boolean after) {
    Ec2Pool pool = new Ec2Pool(seed, Duration.ofMinutes(2), false);
    pool.network.crashOnly(effect, after);
    pool.faults.end();
    return pool;
  }

  /** Runs a world by its number; the first violation, empty when there is none. */
  public static final class Probe implements LongFunction<String> {
    @Override
    public String apply(long seed) {
      try {
        return new Ec2Pool(seed).run();
      } catch (AssertionError | RuntimeException e) {
        return e.toString();
      }
    }
  }

  private Ec2Pool(long seed, Duration churn, boolean troubled) {
    this.churn = churn;
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    boolean blocks = random.nextInt(3) == 0;
    int slots = blocks ? 2 + random.nextInt(3) : 3 + random.nextInt(8);
    type = new InstanceShape("node", 2 + random.nextInt(3), slots + 1, true);
    setting =
        new NodeProgram.Setting(
            blocks ? CidrKind.PREFIX : CidrKind.SECONDARY,
            RandomPool.targets(random),
            RandomPool.cooldown(random));
    boolean small = random.nextInt(4) == 0;
    int capacity = slots * type.interfaces();
    network = new RandomFaults(random, time, this::crash);
    faults = new Ec2Faults(random, time);
    hook = new HostHook(() -> faults.draw(5));
    cloud =
        new InstanceEc2(
            time,
            seed,
            type,
            Cidr.parse(small ? "10.0.0.0/" + (blocks ? 26 : 28) : "10.0.0.0/22"),
            random.nextInt(3) == 0 ? 0.05 : 1,
            faults,
            troubled ? churn : Duration.ZERO);
    pods =
        new RandomPods(this, checks, random, Math.max(3, capacity * (3 + random.nextInt(8)) / 10));
    others = new OtherOwners(cloud, pods, random, blocks, troubled && random.nextInt(3) == 0);
    neighbours = troubled && random.nextInt(4) == 0;
    program = newProgram(cloud.byMetadata());
    time.afterEachStep(this::note);
  }

  /** Runs it; the first violation, empty when there is none. */
  String run() {
    program.start();
    String violation = new PoolRun(this, pods, checks).run(churn, SETTLE, this);
    return violation.isEmpty() ? others.leftovers() : violation;
  }

  /** The number of events, so that a run that does nothing is noticed. */
  List<Integer> counts() {
    List<Integer> counts = new ArrayList<>(List.of(pods.grants()));
    counts.addAll(network.counts());
    counts.addAll(List.of(faults.refused(), faults.stale(), changes.size()));
    counts.add(withoutEc2);
    return counts;
  }

  // ---- the program

  private NodeProgram newProgram(List<InstanceInterface> metadata) {
    VirtualProcess process = time.process("ipamd");
    return new NodeProgram(
        process,
        setting,
        files,
        cloud,
        metadata,
        HostHook.killed(network),
        hook.of(process),
        random);
  }

  /** The metadata service then shows a state from before, or from now. */
  private void crash() {
    program.process.crash(random.nextBoolean() ? OnTheWire.ARRIVES : OnTheWire.IS_LOST);
    List<InstanceInterface> before = cloud.byMetadata();
    boolean lags = faults.draw(2);
    if (faults.draw(3)) {
      faults.away();
    }
    time.after(
        Duration.ofSeconds(1 + random.nextInt(20)),
        () -> {
          program.process.crash(OnTheWire.ARRIVES); // one that another crash has begun
          checks.restarting();
          withoutEc2 += program.beganWithoutEc2() ? 1 : 0;
          program = newProgram(lags ? before : cloud.byMetadata());
          program.start();
        });
  }

  // ---- what happens beside

  @Override
  public void second() {
    others.second();
    if (neighbours) {
      cloud.neighboursTake(0.9, 1);
    }
  }

  @Override
  public void end() {
    network.end();
    faults.end();
  }

  /** Notes the program's present changes in EC2. */
  private void note() {
    for (CloudChange each : cloud.drainChanges()) {
      changes.add(Duration.ofNanos(time.nanos()) + " " + each);
      if (each.kind() == CloudChange.Kind.ADDRESSES_ADDED && each.instanceId().isEmpty()) {
        others.gone(
            InstanceEc2.singles(each.addresses())); // of an interface that others have detached
      }
      if (each.kind() == CloudChange.Kind.ADDRESSES_REMOVED
          || each.kind() == CloudChange.Kind.INTERFACE_DETACHED) {
        InstanceEc2.singles(each.addresses()).forEach(pods::givenBack);
      }
    }
  }

  // ---- the world

  @Override
  public VirtualTime time() {
    return time;
  }

  @Override
  public DataStore store() {
    return program.store;
  }

  @Override
  public PoolReconciler loop() {
    return program.loop;
  }

  @Override
  public boolean serves() {
    return program.loop.hasReadCloud();
  }

  /** Not before the host is set up for it. */
  @Override
  public boolean servesPrimary() {
    return false;
  }

  @Override
  public CheckedCloud client() {
    return program.client;
  }

  @Override
  public CooldownRule cooldown() {
    return setting.cooldown();
  }

  @Override
  public WarmTargets warm() {
    return setting.warm();
  }

  @Override
  public PoolLimits limits() {
    return PoolLimits.of(type.addressesPerInterface() - 1, type.interfaces());
  }

  @Override
  public Set<String> interfaces() {
    return cloud.attached().stream()
        .filter(InstanceEc2::isForPods)
        .map(CloudInterface::id)
        .collect(Collectors.toSet());
  }

  @Override
  public Set<Cidr> attached() {
    Set<Cidr> all = new HashSet<>();
    cloud.attached().stream()
        .filter(InstanceEc2::isForPods)
        .forEach(each -> all.addAll(InstanceEc2.cidrs(each)));
    return all;
  }

  @Override
  public boolean isSetUp(IpAddress address) {
    return cloud.attached().stream()
        .filter(each -> each.holds(address))
        .allMatch(each -> hook.isReady(each.id()));
  }

  @Override
  public int unmanaged() {
    return (int) cloud.attached().stream().filter(each -> !InstanceEc2.isForPods(each)).count();
  }

  @Override
  public boolean isFull() {
    return cloud.isFull(setting.mode() == CidrKind.PREFIX);
  }

  @Override
  public List<String> changes() {
    return changes;
  }

  @Override
  public Set<Cidr> touchedByOthers() {
    return others.touched();
  }

  @Override
  public boolean hasOthers() {
    return others.change();
  }
}
