package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.RecoveryRules;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualProcess.OnTheWire;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * A node on the {@link FakeCloud} whose pods come and go while the cloud and the program fail at
 * random. Finds the first thing that must not happen.
 */
public final class RandomPool implements PoolWorld, PoolRun.Trouble {
  private static final Duration SETTLE = Duration.ofMinutes(25);

  private final Random random;
  private final TestLoop node;
  private final RandomFaults faults;
  private final PoolChecks checks = new PoolChecks(this);
  private final RandomPods pods;
  private final boolean others;
  private final Duration churn;

  /** Faults of all kinds, by the number of the world. */
  RandomPool(long seed) {
    this(seed, Duration.ofMinutes(20));
  }

  /** No fault but one crash, before or after the effect of a number. */
  static RandomPool crashing(long seed, int effect, boolean after) {
    RandomPool pool = new RandomPool(seed, Duration.ofMinutes(2));
    pool.faults.crashOnly(effect, after);
    return pool;
  }

  /** Runs a world by its number; the first violation, empty when there is none. */
  public static final class Probe implements LongFunction<String> {
    @Override
    public String apply(long seed) {
      try {
        return new RandomPool(seed).run();
      } catch (AssertionError | RuntimeException e) {
        return e.toString();
      }
    }
  }

  private RandomPool(long seed, Duration churn) {
    this.churn = churn;
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    CidrKind mode = random.nextInt(3) == 0 ? CidrKind.PREFIX : CidrKind.SECONDARY;
    int slots = mode == CidrKind.PREFIX ? 2 + random.nextInt(3) : 3 + random.nextInt(8);
    node = new TestLoop(mode, targets(random), slots, 2 + random.nextInt(3));
    node.cooldown = cooldown(random);
    int capacity = slots * node.cloud.maxEnis;
    node.cloud.subnetRoom = random.nextInt(4) == 0 ? capacity / 2 : 1_000;
    pods =
        new RandomPods(this, checks, random, Math.max(3, capacity * (3 + random.nextInt(8)) / 10));
    others = random.nextInt(3) == 0;
    faults = new RandomFaults(random, node.time, this::crash);
    node.network = faults;
    node.faults = faults;
    node.cloud.givenBack = pods::givenBack;
    node.restarted();
  }

  /** Targets of one of the kinds that nodes have. */
  public static WarmTargets targets(Random random) {
    OptionalInt none = OptionalInt.empty();
    return switch (random.nextInt(4)) {
      case 0 -> new WarmTargets(none, none, random.nextInt(3), random.nextInt(2));
      case 1 -> new WarmTargets(none, OptionalInt.of(random.nextInt(6)), 0, 1);
      default ->
          new WarmTargets(
              OptionalInt.of(random.nextInt(5)), OptionalInt.of(random.nextInt(6)), 0, 1);
    };
  }

  /** The usual cooldown, or a short one. */
  public static CooldownRule cooldown(Random random) {
    return random.nextBoolean()
        ? CooldownRule.DEFAULT
        : new CooldownRule(Duration.ofSeconds(90), Duration.ofSeconds(80));
  }

  /** Runs it; the first violation, empty when there is none. */
  String run() {
    begin();
    PoolRun run = new PoolRun(this, pods, checks);
    String violation = run.run(churn, SETTLE, this);
    return violation.isEmpty() ? run.withoutPods() : violation;
  }

  /** The number of events, so that a run that does nothing is noticed. */
  int[] counts() {
    return new int[] {pods.grants(), faults.crashes, faults.lost, faults.refused, faults.stale};
  }

  // ---- the program

  private void begin() {
    VirtualProcess mine = node.process;
    node.loop
        .fill()
        .thenAccept(
            read -> {
              if (read) {
                recover();
              } else {
                mine.after(TestLoop.SECOND, this::begin);
              }
            });
  }

  private void recover() {
    node.store
        .recover(node.inFile(), RecoveryRules.of(IpFamily.IPV4).withBoot("boot-1"))
        .thenAccept(outcome -> node.loop.start());
  }

  private void crash() {
    node.process.crash(random.nextBoolean() ? OnTheWire.ARRIVES : OnTheWire.IS_LOST);
    node.time.after(
        Duration.ofSeconds(1 + random.nextInt(20)),
        () -> {
          checks.restarting();
          node.restarted();
          begin();
        });
  }

  // ---- others

  @Override
  public void second() {
    if (others && random.nextInt(100) == 0) {
      intrude();
    }
  }

  @Override
  public void end() {
    faults.end();
  }

  private void intrude() {
    List<CloudEni> enis = node.cloud.now();
    CloudEni eni = enis.get(random.nextInt(enis.size()));
    String id = eni.spec().id();
    switch (random.nextInt(4)) {
      case 0 -> {
        if (eni.managed() && !eni.cidrs().isEmpty()) {
          Cidr cidr = eni.cidrs().get(random.nextInt(eni.cidrs().size())).cidr();
          pods.removedByOthers(cidr);
          node.cloud.removeByOthers(id, cidr);
        }
      }
      case 1 -> {
        if (eni.cidrs().size() < node.cloud.slots && node.cloud.subnetRoom > 0) {
          node.cloud.addByOthers(id, node.mode, 1);
        }
      }
      case 2 -> {
        if (enis.size() < node.cloud.maxEnis) {
          node.cloud.attachByOthers(random.nextBoolean());
        }
      }
      default -> {
        if (!eni.spec().primary()) {
          eni.cidrs().forEach(each -> pods.removedByOthers(each.cidr()));
          node.cloud.detachByOthers(id);
        }
      }
    }
  }

  // ---- the world

  @Override
  public VirtualTime time() {
    return node.time;
  }

  @Override
  public DataStore store() {
    return node.store;
  }

  @Override
  public PoolReconciler loop() {
    return node.loop;
  }

  @Override
  public CheckedCloud client() {
    return node.client;
  }

  @Override
  public CooldownRule cooldown() {
    return node.cooldown;
  }

  @Override
  public WarmTargets warm() {
    return node.warm;
  }

  @Override
  public PoolLimits limits() {
    return PoolLimits.of(node.cloud.slots, node.cloud.maxEnis);
  }

  @Override
  public Set<String> interfaces() {
    return node.cloud.now().stream()
        .filter(CloudEni::managed)
        .map(eni -> eni.spec().id())
        .collect(Collectors.toSet());
  }

  @Override
  public Set<Cidr> attached() {
    return node.cloud.cidrs();
  }

  @Override
  public int unmanaged() {
    return (int) node.cloud.now().stream().filter(eni -> !eni.managed()).count();
  }

  @Override
  public boolean isFull() {
    return node.cloud.isFull();
  }

  @Override
  public List<String> changes() {
    return node.cloud.changes;
  }

  @Override
  public Set<Cidr> touchedByOthers() {
    return node.cloud.touchedByOthers;
  }

  @Override
  public boolean hasOthers() {
    return others;
  }
}
