package io.tidemark.datastore.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.plan.PoolPlan.Growth;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A network card whose cloud gives what a plan asks for, and whose pods have the fullest blocks.
 * Pods get nothing of an interface that is excluded or being removed; it keeps those that it has.
 */
final class PlannedCard {
  private static final Duration OLD = Duration.ofHours(1);
  private static final IpAddress BASE = IpAddress.parse("10.0.0.0");

  private final CidrKind mode;
  private final WarmTargets targets;
  private final PoolLimits limits;
  private final Profile profile;

  /** By interface: the pods and cooling addresses of each of its blocks. */
  private final Map<Integer, List<int[]>> enis = new TreeMap<>();

  private final Set<Integer> excluded = new TreeSet<>();
  private final Set<Integer> draining = new TreeSet<>();

  int demand;

  PlannedCard(CidrKind mode, WarmTargets targets, PoolLimits limits, Profile profile) {
    this.mode = mode;
    this.targets = targets;
    this.limits = limits;
    this.profile = profile;
    enis.put(0, new ArrayList<>());
  }

  PlannedCard with(int device, int... podsOfBlocks) {
    List<int[]> blocks = enis.computeIfAbsent(device, key -> new ArrayList<>());
    for (int pods : podsOfBlocks) {
      blocks.add(new int[] {pods, 0});
    }
    return this;
  }

  /** Pods get no addresses of this interface any more. */
  PlannedCard excluding(int device) {
    excluded.add(device);
    return with(device);
  }

  /** A request to remove this interface is under way. */
  PlannedCard removing(int device) {
    draining.add(device);
    return with(device);
  }

  private boolean serves(int device) {
    return !excluded.contains(device) && !draining.contains(device);
  }

  /** All free addresses cool. */
  PlannedCard cooling() {
    enis.values().forEach(all -> all.forEach(block -> block[1] = perBlock() - block[0]));
    return this;
  }

  private int perBlock() {
    return mode == CidrKind.PREFIX ? 16 : 1;
  }

  PoolView view() {
    List<EniView> all = new ArrayList<>();
    int next = 0;
    for (Map.Entry<Integer, List<int[]>> eni : enis.entrySet()) {
      List<CidrView> blocks = new ArrayList<>();
      for (int[] block : eni.getValue()) {
        IpAddress first = BASE.plus(16L * next++);
        Cidr cidr = mode == CidrKind.PREFIX ? Cidr.containing(first, 28) : Cidr.single(first);
        blocks.add(new CidrView(cidr, mode, perBlock(), block[0], block[1], false));
      }
      int device = eni.getKey();
      StoreEniSpec spec =
          new StoreEniSpec("eni-" + device, device, device == 0, false, false, device + 1, "");
      all.add(new EniView(spec, excluded.contains(device), draining.contains(device), OLD, blocks));
    }
    return new PoolView(mode, all);
  }

  PoolPlan plan() {
    return PoolPlanner.plan(view(), targets, limits, Pending.NONE, demand, profile);
  }

  /** One pod more; false when no address is free. */
  boolean addPod() {
    int[] fullest = null;
    for (Map.Entry<Integer, List<int[]>> eni : enis.entrySet()) {
      for (int[] block : serves(eni.getKey()) ? eni.getValue() : List.<int[]>of()) {
        int free = perBlock() - block[0] - block[1];
        if (free > 0 && (fullest == null || free < perBlock() - fullest[0] - fullest[1])) {
          fullest = block;
        }
      }
    }
    if (fullest == null) {
      demand++;
      return false;
    }
    fullest[0]++;
    return true;
  }

  /** One round of the loop: grow, or else shrink, and then perhaps an interface; what was done. */
  String round() {
    PoolPlan plan = plan();
    String done = "";
    if (plan.growth() instanceof Growth.OnEni more) {
      done = add(Integer.parseInt(more.eniId().substring(4)), more.count());
    } else if (plan.growth() instanceof Growth.NewEni more) {
      done = add(enis.keySet().stream().mapToInt(key -> key).max().orElse(-1) + 1, more.count());
    } else if (!plan.isLow() && plan.overBy() > 0) {
      done = remove(plan.overBy());
    }
    if (plan.askRemoval()) {
      Optional<EniView> gone = RemovalRules.candidate(view(), targets, limits, profile);
      if (gone.isPresent()) {
        assertThat(gone.get().draining()).as("%s is removed already", gone.get()).isFalse();
        done += " -" + gone.get().spec().id();
        enis.remove(gone.get().spec().deviceNumber());
      }
    }
    demand = 0;
    return done;
  }

  private String add(int device, int count) {
    assertThat(serves(device)).as("%s is asked for on eni-%s", count, device).isTrue();
    with(device, new int[count]);
    return "+" + count + " on " + device;
  }

  private String remove(int count) {
    int left = count;
    List<Integer> devices = new ArrayList<>(enis.keySet());
    for (int i = devices.size() - 1; i >= 0; i--) {
      List<int[]> all = enis.getOrDefault(devices.get(i), List.of());
      List<int[]> blocks = serves(devices.get(i)) ? all : List.of();
      for (int at = blocks.size() - 1; at >= 0 && left > 0; at--) {
        if (blocks.get(at)[0] == 0 && blocks.get(at)[1] == 0) {
          blocks.remove(at);
          left--;
        }
      }
    }
    return "-" + (count - left);
  }

  /** Until nothing changes any more; whether that happened within the rounds. */
  boolean settle(int rounds) {
    for (int i = 0; i < rounds; i++) {
      if (round().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Pods come one after the other, and the loop settles in between. */
  void addPods(int count) {
    for (int i = 0; i < count; i++) {
      settle(20);
      for (int rounds = 0; rounds < 20 && !addPod(); rounds++) {
        round();
      }
    }
    settle(20);
  }

  /** The number of blocks of each interface that has any and that pods can use. */
  List<Integer> blocks() {
    return enis.entrySet().stream()
        .filter(eni -> serves(eni.getKey()))
        .map(eni -> eni.getValue().size())
        .filter(size -> size > 0)
        .toList();
  }

  int total() {
    return blocks().stream().mapToInt(size -> size).sum();
  }

  long free() {
    return PoolNumbers.of(view(), profile).free();
  }

  int enis() {
    return enis.size();
  }

  boolean has(int device) {
    return enis.containsKey(device);
  }
}
