package io.tidemark.datastore.cloud;

import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.Assignment;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.RecoveryRules;
import io.tidemark.datastore.ReleaseOutcome;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.datastore.cloud.PoolDecision.Circumstances;
import io.tidemark.datastore.cloud.PoolDecision.Step;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.Profile;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualProcess.OnTheWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * A node whose pods come and go while the cloud and the program fail at random; then all is well
 * and it comes to rest. Finds the first thing that must not happen.
 */
public final class RandomPool {
  private static final Duration SETTLE = Duration.ofMinutes(25);
  private static final Duration REST = Duration.ofMinutes(10);

  /** After so long without an answer a sandbox is given up and deleted. */
  private static final long DEADLINE = Duration.ofSeconds(10).toNanos();

  private final Random random;
  private final TestLoop node;
  private final RandomFaults faults;
  private final int podsMax;
  private final boolean others;
  private final Duration churn;
  private final Map<String, Pod> pods = new TreeMap<>();
  private final Map<IpAddress, Long> released = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private int names;
  private int grants;
  private int removedInUse;
  private long forcedBefore;

  private enum Phase {
    WAITING,
    ADDING,
    RUNNING,
    DELETING,
    GONE
  }

  /** What the kubelet does with one pod. */
  private static final class Pod {
    private final String name;
    private Phase phase = Phase.WAITING;
    private IpAddress address = IpAddress.parse("0.0.0.0");
    private int sandbox;
    private long next;
    private boolean ends;

    private Pod(String name) {
      this.name = name;
    }

    private String container() {
      return name + "-" + sandbox;
    }
  }

  /** Faults of all kinds, by the number of the world. */
  RandomPool(long seed) {
    this(seed, Duration.ofMinutes(20));
  }

  /** No fault but one crash, before or after the effect of a number. */
  static RandomPool crashing(long seed, int effect, boolean after) {
    RandomPool pool = new RandomPool(seed, Duration.ofMinutes(2));
    pool.faults.on = false;
    if (after) {
      pool.faults.crashAfter = effect;
    } else {
      pool.faults.crashBefore = effect;
    }
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
    node = new TestLoop(mode, targets(), slots, 2 + random.nextInt(3));
    node.cooldown =
        random.nextBoolean()
            ? CooldownRule.DEFAULT
            : new CooldownRule(Duration.ofSeconds(90), Duration.ofSeconds(80));
    int capacity = slots * node.cloud.maxEnis;
    node.cloud.subnetRoom = random.nextInt(4) == 0 ? capacity / 2 : 1_000;
    podsMax = Math.max(3, capacity * (3 + random.nextInt(8)) / 10);
    others = random.nextInt(3) == 0;
    faults = new RandomFaults(random, node.time, this::crash);
    node.network = faults;
    node.faults = faults;
    node.cloud.givenBack = this::givenBack;
    node.restarted();
  }

  private WarmTargets targets() {
    OptionalInt none = OptionalInt.empty();
    return switch (random.nextInt(4)) {
      case 0 -> new WarmTargets(none, none, random.nextInt(3), random.nextInt(2));
      case 1 -> new WarmTargets(none, OptionalInt.of(random.nextInt(6)), 0, 1);
      default ->
          new WarmTargets(
              OptionalInt.of(random.nextInt(5)), OptionalInt.of(random.nextInt(6)), 0, 1);
    };
  }

  /** Runs it; the first violation, empty when there is none. */
  String run() {
    begin();
    long end = node.time.nanos() + churn.toNanos();
    while (violations.isEmpty() && node.time.nanos() < end) {
      churn();
      second();
    }
    faults.on = false;
    end = node.time.nanos() + SETTLE.toNanos();
    while (violations.isEmpty() && node.time.nanos() < end) {
      second();
    }
    int changes = node.cloud.changes.size();
    end = node.time.nanos() + REST.toNanos();
    while (violations.isEmpty() && node.time.nanos() < end) {
      second();
    }
    if (violations.isEmpty()) {
      checkRest(changes);
    }
    return violations.isEmpty() ? "" : violations.get(0);
  }

  /** What has happened, so that a run that does nothing is noticed. */
  int[] counts() {
    return new int[] {grants, faults.crashes, faults.lost, faults.refused, faults.stale};
  }

  private void second() {
    kubelet();
    node.pass(TestLoop.SECOND);
    check();
  }

  // ---- the program

  private void begin() {
    VirtualProcess mine = node.process;
    Object unused =
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
    Object unused =
        node.store
            .recover(node.inFile(), RecoveryRules.of(IpFamily.IPV4).withBoot("boot-1"))
            .thenAccept(outcome -> node.loop.start());
  }

  private void crash() {
    node.process.crash(random.nextBoolean() ? OnTheWire.ARRIVES : OnTheWire.IS_LOST);
    node.time.after(
        Duration.ofSeconds(1 + random.nextInt(20)),
        () -> {
          forcedBefore += node.store.counters().forceRemovedAddresses();
          node.restarted();
          begin();
        });
  }

  // ---- pods and others

  private void churn() {
    long living = pods.values().stream().filter(pod -> !pod.ends).count();
    if (random.nextInt(4) == 0 && living < podsMax) {
      String name = "pod-" + names++;
      pods.put(name, new Pod(name));
    }
    if (random.nextInt(living > podsMax / 2 ? 5 : 12) == 0 && living > 0) {
      List<Pod> all = pods.values().stream().filter(pod -> !pod.ends).toList();
      all.get(random.nextInt(all.size())).ends = true;
    }
    if (random.nextInt(200) == 0) {
      pods.values().forEach(pod -> pod.ends = pod.ends || random.nextBoolean());
    }
    if (others && random.nextInt(100) == 0) {
      intrude();
    }
  }

  private void intrude() {
    List<CloudEni> enis = node.cloud.now();
    CloudEni eni = enis.get(random.nextInt(enis.size()));
    String id = eni.spec().id();
    switch (random.nextInt(4)) {
      case 0 -> {
        if (eni.managed() && !eni.cidrs().isEmpty()) {
          Cidr cidr = eni.cidrs().get(random.nextInt(eni.cidrs().size())).cidr();
          gone(cidr);
          node.cloud.removeByOthers(id, cidr);
        }
      }
      case 1 -> {
        if (eni.cidrs().size() < node.cloud.slots && node.cloud.subnetRoom > 0) {
          List<Cidr> unused = node.cloud.addByOthers(id, node.mode, 1);
        }
      }
      case 2 -> {
        if (enis.size() < node.cloud.maxEnis) {
          String unused = node.cloud.attachByOthers(random.nextBoolean());
        }
      }
      default -> {
        if (!eni.spec().primary()) {
          eni.cidrs().forEach(each -> gone(each.cidr()));
          node.cloud.detachByOthers(id);
        }
      }
    }
  }

  /** The pods of an address that others remove do not live long. */
  private void gone(Cidr cidr) {
    removedInUse += (int) Math.min(16, cidr.sizeSaturated());
    for (Pod pod : pods.values()) {
      if (pod.phase == Phase.RUNNING && cidr.contains(pod.address)) {
        pod.ends = true;
      }
    }
  }

  private void kubelet() {
    long now = node.time.nanos();
    for (Pod pod : List.copyOf(pods.values())) {
      if (now < pod.next) {
        continue;
      }
      switch (pod.phase) {
        case WAITING -> {
          if (pod.ends) {
            pods.remove(pod.name);
          } else {
            add(pod);
          }
        }
        case ADDING, DELETING -> delete(pod);
        case RUNNING -> {
          if (pod.ends) {
            delete(pod);
          }
        }
        case GONE -> pods.remove(pod.name);
      }
    }
  }

  private void add(Pod pod) {
    pod.phase = Phase.ADDING;
    pod.sandbox++;
    call(
        pod,
        node.store.assign(
            TestLoop.key(pod.container()), new IpamMetadata("default", pod.name, 1), IpFamily.IPV4),
        outcome -> {
          if (outcome instanceof AssignOutcome.Granted granted) {
            granted(pod, granted);
          } else {
            pod.phase = Phase.WAITING;
            pod.next = node.time.nanos() + Duration.ofSeconds(2 + random.nextInt(5)).toNanos();
          }
        });
  }

  private void delete(Pod pod) {
    pod.phase = Phase.DELETING;
    call(
        pod,
        node.store.release(TestLoop.key(pod.container())),
        outcome -> {
          if (outcome instanceof ReleaseOutcome.Released freed) {
            for (Assignment each : freed.assignments()) {
              released.put(each.address(), node.time.nanos());
            }
          }
          if (!(outcome instanceof ReleaseOutcome.Refused)) {
            pod.phase = pod.ends ? Phase.GONE : Phase.WAITING;
          }
        });
  }

  private <T> void call(Pod pod, CompletionStage<T> stage, Consumer<T> handler) {
    int sandbox = pod.sandbox;
    Phase phase = pod.phase;
    pod.next = node.time.nanos() + DEADLINE;
    Object unused =
        stage.thenAccept(
            outcome -> {
              if (pod.sandbox == sandbox && pod.phase == phase) {
                pod.next = node.time.nanos();
                handler.accept(outcome);
              }
            });
    node.loop.request();
  }

  // ---- what must always hold

  private void violated(String what) {
    violations.add(Duration.ofNanos(node.time.nanos()) + " " + what);
  }

  private void granted(Pod pod, AssignOutcome.Granted granted) {
    grants++;
    IpAddress address = granted.assignment().address();
    for (Pod other : pods.values()) {
      if (other.phase == Phase.RUNNING && other.address.equals(address)) {
        violated(address + " of " + pod.name + " is that of " + other.name);
      }
    }
    pod.ends = pod.ends || isTouchedByOthers(address);
    if (!node.cloud.has(address) && !isTouchedByOthers(address)) {
      violated(address + " of " + pod.name + " is not attached");
    }
    long quiet = node.time.nanos() - node.client.lastTrouble;
    if (granted.cutShortAfter().isPresent()
        && !node.cloud.isFull()
        && !isReturning()
        && !others
        && quiet > PoolGrowth.SUBNET_PAUSE.toNanos() + PoolReconciler.EVERY.toNanos()) {
      violated(address + " was assigned early though the node can grow");
    }
    pod.address = address;
    pod.phase = Phase.RUNNING;
  }

  /** Something takes room in the cloud until it has been given back. */
  private boolean isReturning() {
    return node.view().enis().stream()
        .anyMatch(eni -> eni.draining() || eni.cidrs().stream().anyMatch(CidrView::returning));
  }

  private boolean isTouchedByOthers(IpAddress address) {
    return node.cloud.touchedByOthers.stream().anyMatch(cidr -> cidr.contains(address));
  }

  private void givenBack(Cidr cidr) {
    for (Pod pod : pods.values()) {
      if (pod.phase == Phase.RUNNING && cidr.contains(pod.address)) {
        violated(cidr + " is given back, but " + pod.name + " uses it");
      }
    }
    long period = node.cooldown.period().toNanos();
    released.forEach(
        (address, at) -> {
          long ago = node.time.nanos() - at;
          if (cidr.contains(address) && ago < period && !isTouchedByOthers(address)) {
            violated(cidr + " is given back " + Duration.ofNanos(ago) + " after its release");
          }
        });
  }

  private void check() {
    long forced = forcedBefore + node.store.counters().forceRemovedAddresses();
    if (forced > removedInUse) {
      violated("removed by force: " + forced + ", of which others removed " + removedInUse);
    }
    if (node.loop.hasReadCloud()
        && node.view().enis().stream().noneMatch(eni -> eni.spec().primary())) {
      violated("the primary interface has left the store");
    }
  }

  // ---- what must hold at rest

  private void checkRest(int changes) {
    List<String> all = node.cloud.changes;
    if (all.size() > changes) {
      violated("no rest: " + all.subList(changes, all.size()));
    }
    Set<Cidr> here = node.inStore();
    Set<Cidr> there = node.cloud.cidrs();
    if (!here.equals(there)) {
      violated("the store has " + here + ", the cloud " + there);
    }
    if (isReturning()) {
      violated("a return has no end: " + node.view());
    }
    node.store
        .assigned()
        .forEach(
            each -> {
              if (!node.cloud.has(each.assignment().address())) {
                violated(each + " is not attached");
              }
            });
    checkTargets();
  }

  private void checkTargets() {
    int unmanaged = (int) node.cloud.now().stream().filter(eni -> !eni.managed()).count();
    PoolLimits limits =
        PoolLimits.of(node.cloud.slots, node.cloud.maxEnis).withUnmanaged(unmanaged);
    PoolTargets targets = new PoolTargets(IpFamily.IPV4, node.warm, () -> limits, Profile.TIDEMARK);
    Step step =
        PoolDecision.of(node.view(), targets, limits, new Circumstances(0, false, false, true))
            .step();
    if (!(step instanceof Step.Nothing) && !(step instanceof Step.Grow && node.cloud.isFull())) {
      violated("at rest the node still wants " + step);
    }
    List<String> waiting =
        pods.values().stream()
            .filter(pod -> pod.phase != Phase.RUNNING)
            .map(pod -> pod.name + " " + pod.phase)
            .collect(Collectors.toList());
    if (!waiting.isEmpty() && !node.cloud.isFull()) {
      violated("at rest pods wait: " + waiting + " with " + node.view());
    }
  }
}
