package io.tidemark.datastore.plan;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.EniSpec;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.plan.PoolPlan.Growth;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A network card whose cloud gives what a plan asks for, and whose pods have the fullest blocks.
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
      EniSpec spec =
          new EniSpec("eni-" + device, device, device == 0, false, false, device + 1, "");
      all.add(new EniView(spec, false, false, OLD, blocks));
    }
    return new PoolView(mode, all);
  }

  PoolPlan plan() {
    return PoolPlanner.plan(view(), targets, limits, demand, profile);
  }

  /** One pod more; false when no address is free. */
  boolean addPod() {
    int[] fullest = null;
    for (List<int[]> blocks : enis.values()) {
      for (int[] block : blocks) {
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
        done += " -" + gone.get().spec().id();
        enis.remove(gone.get().spec().deviceNumber());
      }
    }
    demand = 0;
    return done;
  }

  private String add(int device, int count) {
    with(device, new int[count]);
    return "+" + count + " on " + device;
  }

  private String remove(int count) {
    int left = count;
    List<Integer> devices = new ArrayList<>(enis.keySet());
    for (int i = devices.size() - 1; i >= 0; i--) {
      List<int[]> blocks = enis.getOrDefault(devices.get(i), List.of());
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

  /** The number of blocks of each interface that has any. */
  List<Integer> blocks() {
    return enis.values().stream().map(List::size).filter(size -> size > 0).toList();
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
}
