package io.tidemark.agent.multipool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.PoolSnapshot;
import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.agent.eni.InterfaceRanges;
import io.tidemark.agent.multipool.OperatorModel.Block;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One sequence of random operations on pools that an operator changes, against sets: who has which
 * address, and which blocks are the node's in truth. The agent sees versions late, twice or not at
 * all, its writes are lost on the way or their answers are, and it restarts.
 */
final class RandomPools {
  private static final List<Block> LISTED =
      blocks(
          "default 10.0.0.0/30",
          "default 10.0.0.4/31",
          "default 10.0.0.8/29",
          "default 10.0.0.8/32",
          "default 10.0.0.16/32",
          "default f00d::/126",
          "mars 10.1.0.0/30",
          "mars 10.1.0.4/32",
          "mars 10.0.0.0/30",
          "mars f00d:1::/127",
          "mars ::ffff:10.0.0.0/124");
  private static final List<Block> ATTACHED =
      blocks(
          "default 10.0.0.0/30",
          "default 10.0.0.4/31",
          "default 10.0.0.8/29",
          "default 10.0.0.16/32",
          "default 10.0.0.17/32",
          "default f00d::/126");
  private static final List<String> NAMES = List.of("default", "default", "mars", "venus");
  private static final long LAG_MAX = Duration.ofMinutes(1).toNanos();

  private final Random random;
  private final VirtualTime time = new VirtualTime(0);
  private final boolean eni;
  private final CoolingRule cooling;
  private final OperatorModel operator;
  private final Map<Place, String> pods = new TreeMap<>();
  private final Map<Place, Long> left = new TreeMap<>();
  private final Set<Place> reserved = new HashSet<>();
  private final List<String> steps = new ArrayList<>();
  private VirtualProcess process;
  private MultiPool pools;
  private Optional<List<RememberedCidr>> stored = Optional.empty();
  private int seen;
  private int owners;
  int grants;
  int givenBack;

  private record Place(String pool, IpAddress ip) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byPool = pool.compareTo(other.pool);
      return byPool == 0 ? ip.compareTo(other.ip) : byPool;
    }
  }

  RandomPools(long seed) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    eni = random.nextBoolean();
    Duration pause = Duration.ofSeconds(random.nextBoolean() ? 0 : 40);
    cooling = new CoolingRule(pause, Duration.ZERO);
    operator = new OperatorModel(random, eni, eni ? ATTACHED : LISTED);
    process = time.process("agent");
    pools = start();
    see(0);
    pools.restored();
  }

  private static List<Block> blocks(String... texts) {
    return Stream.of(texts)
        .map(text -> text.split(" ", -1))
        .map(parts -> new Block(parts[0], Cidr.parse(parts[1])))
        .toList();
  }

  private MultiPool start() {
    return new MultiPool(
        Ipam.builder(process, new Random(random.nextLong())).cooling(cooling),
        new MultiPoolRules(
            TestPools.BOTH,
            Map.of(new PoolName("default"), random.nextInt(5)),
            eni ? DemandRule.LINEAR : DemandRule.STEPS,
            TestPools.QUARANTINE,
            Duration.ofMinutes(1)),
        eni
            ? new InterfaceRanges(
                CrdMode.ENI, new PoolName("default"), LocalInterfaces.ALL, List.of())
            : RangeSource.ALLOCATED,
        new MultiPool.Origin(Optional.empty(), random.nextInt(8), stored),
        time,
        Meters.none());
  }

  @Override
  public String toString() {
    return (eni ? "interfaces, " : "listed, ") + cooling + ", " + String.join("; ", steps);
  }

  // ---- steps

  void step() {
    switch (random.nextInt(16)) {
      case 0, 1, 2 -> {
        steps.add("operator");
        operator.change(now());
      }
      case 3, 4 -> see(seen + random.nextInt(operator.versions.size() - seen));
      case 5, 6, 7 -> write();
      case 8, 9, 10 -> next();
      case 11 -> allocate();
      case 12, 13 -> release();
      case 14 -> pass(Duration.ofSeconds(random.nextInt(50)));
      default -> {
        switch (random.nextInt(4)) {
          case 0 -> restart();
          case 1, 2 -> reserve();
          default -> pass(Duration.ofSeconds(random.nextInt(250)));
        }
      }
    }
    pods.forEach(
        (place, owner) ->
            assertThat(operator.mayUse(place.pool(), place.ip()))
                .as("%s of %s is the node's", place, owner)
                .isTrue());
  }

  /** The agent takes in a version, not an older one than before. */
  private NodeResource see(int version) {
    steps.add("sees " + version);
    seen = version;
    NodeResource base = operator.versions.get(version).object();
    NodeResource applied = pools.applied(base);
    checkEquation(base);
    return applied;
  }

  private void write() {
    int newest = operator.versions.size() - 1;
    int base = random.nextInt(4) == 0 ? seen : newest;
    NodeResource applied = see(base);
    stored = Optional.of(pools.remembered());
    int fate = random.nextInt(10);
    boolean same = applied.sameSpec(operator.versions.get(base).object());
    if (base < newest || same || fate == 0) {
      steps.add("write lost");
      return;
    }
    steps.add(fate < 3 ? "answer lost" : "written");
    givenBack += operator.stored(applied, now()).size();
    if (fate >= 3) {
      see(operator.versions.size() - 1);
    }
  }

  private void next() {
    IpFamily family = random.nextInt(4) == 0 ? IpFamily.IPV6 : IpFamily.IPV4;
    String pool = NAMES.get(random.nextInt(NAMES.size()));
    String owner = "pod-" + owners++;
    Optional<Cidr> expected = fullest(pool, family);
    steps.add("next " + family + " " + pool);
    Allocation allocation =
        pools.ipam().allocateNext(family, owner, new PoolName(pool), UpstreamSync.NOW);
    if (allocation instanceof Allocation.Granted granted) {
      Place place = new Place(pool, granted.result().ip());
      expected.ifPresent(cidr -> assertThat(cidr.contains(place.ip())).as("fullest").isTrue());
      assertThat(granted.result().details().isPresent()).isEqualTo(eni);
      grant(place, owner, true);
    } else {
      assertThat(expected).as("a free address").isEmpty();
    }
  }

  private void grant(Place place, String owner, boolean drawn) {
    steps.add("got " + place.ip());
    grants++;
    assertThat(pods).doesNotContainKey(place);
    assertThat(reserved).doesNotContain(place);
    Long since = left.remove(place);
    boolean cools = since != null && now() - since < cooling.pause().toNanos();
    if (drawn && !cools) {
      entries(place.pool(), place.ip().family())
          .filter(each -> each.cidr().contains(place.ip()))
          .forEach(each -> assertThat(each.isDrawn()).isTrue());
    }
    pods.put(place, owner);
  }

  /** Of the blocks that are drawn from, the first of those with the fewest free addresses. */
  private Optional<Cidr> fullest(String pool, IpFamily family) {
    Cidr best = null;
    int least = Integer.MAX_VALUE;
    for (CidrEntry each : entries(pool, family).toList()) {
      int free = each.isDrawn() ? free(pool, each) : 0;
      if (free > 0 && free < least) {
        best = each.cidr();
        least = free;
      }
    }
    return Optional.ofNullable(best);
  }

  private int free(String pool, CidrEntry entry) {
    int free = entry.capacity();
    for (Place place : reservedAndHeld()) {
      free -= place.pool().equals(pool) && isAddressOf(place.ip(), entry) ? 1 : 0;
    }
    return free;
  }

  private static boolean isAddressOf(IpAddress ip, CidrEntry entry) {
    Cidr cidr = entry.cidr();
    boolean whole = entry.capacity() == cidr.sizeSaturated();
    return cidr.contains(ip) && (whole || (!ip.equals(cidr.first()) && !ip.equals(cidr.last())));
  }

  private Set<Place> reservedAndHeld() {
    Set<Place> all = new HashSet<>(reserved);
    all.addAll(pods.keySet());
    left.forEach(
        (place, since) -> {
          if (now() - since < cooling.pause().toNanos()) {
            all.add(place);
          }
        });
    return all;
  }

  private Stream<CidrEntry> entries(String pool, IpFamily family) {
    FamilyPool found = pools.find(new PoolName(pool), family);
    return found == null ? Stream.empty() : found.ranges().states().entries().stream();
  }

  private void allocate() {
    Place place = place();
    String owner = "pod-" + owners++;
    steps.add("allocate " + place);
    Allocation allocation =
        pools.ipam().allocate(place.ip(), owner, new PoolName(place.pool()), UpstreamSync.NOW);
    boolean expected =
        !pods.containsKey(place)
            && !reserved.contains(place)
            && entries(place.pool(), place.ip().family())
                .anyMatch(each -> each.isDrawn() && isAddressOf(place.ip(), each));
    assertThat(allocation instanceof Allocation.Granted).isEqualTo(expected);
    if (expected) {
      grant(place, owner, false);
    }
  }

  private void release() {
    List<Place> all = List.copyOf(pods.keySet());
    Place place = all.isEmpty() ? place() : all.get(random.nextInt(all.size()));
    steps.add("release " + place);
    boolean known =
        entries(place.pool(), place.ip().family()).anyMatch(each -> isAddressOf(place.ip(), each));
    assertThat(pools.ipam().release(place.ip(), new PoolName(place.pool()))).isEmpty();
    if (pods.remove(place) != null && known) {
      left.put(place, now());
    }
  }

  private void reserve() {
    Place place = place();
    steps.add("reserve or not " + place);
    if (reserved.remove(place)) {
      pools.ipam().include(Cidr.single(place.ip()), new PoolName(place.pool()));
    } else if (reserved.size() < 3) {
      reserved.add(place);
      pools.ipam().exclude(Cidr.single(place.ip()), "node-ip", new PoolName(place.pool()));
    }
  }

  private Place place() {
    String pool = NAMES.get(random.nextInt(3));
    IpAddress ip =
        random.nextInt(4) == 0
            ? IpAddress.parse("f00d::").plus(random.nextInt(5))
            : IpAddress.parse(pool.equals("mars") ? "10.1.0.0" : "10.0.0.0")
                .plus(random.nextInt(18));
    return new Place(pool, ip);
  }

  /** Time passes in pieces, so that the agent never sees a version more than a minute late. */
  private void pass(Duration duration) {
    steps.add("pass " + duration);
    long end = now() + duration.toNanos();
    while (now() - end < 0) {
      time.runUntil(Math.min(end, now() + Duration.ofSeconds(5).toNanos()));
      operator.pass(now());
      boolean late =
          seen + 1 < operator.versions.size()
              && now() - operator.versions.get(seen + 1).nanos() > LAG_MAX;
      if (late || pools.nextLookNanos().orElse(end) - now() <= 0) {
        see(late ? operator.versions.size() - 1 : seen);
      }
    }
  }

  /** Another process: it reads the object, restores what pods have, and goes on. */
  private void restart() {
    steps.add("restart");
    process.crash(VirtualProcess.OnTheWire.IS_LOST);
    process = time.process("agent");
    if (random.nextInt(5) == 0) {
      stored = Optional.empty();
    }
    pools = start();
    left.clear();
    NodeResource newest = operator.newest();
    assertThat(see(operator.versions.size() - 1)).as("before restoration").isSameAs(newest);
    pods.forEach(
        (place, owner) ->
            assertThat(pools.ipam().restore(place.ip(), owner, new PoolName(place.pool())))
                .isInstanceOf(Allocation.Granted.class));
    reserved.forEach(
        place ->
            pools.ipam().exclude(Cidr.single(place.ip()), "node-ip", new PoolName(place.pool())));
    pools.restored();
  }

  // ---- after each step

  /** An offered block is drawn from, in quarantine, dropped or rejected, and each only one. */
  private void checkEquation(NodeResource base) {
    RangeSource source =
        eni
            ? new InterfaceRanges(
                CrdMode.ENI, new PoolName("default"), LocalInterfaces.ALL, List.of())
            : RangeSource.ALLOCATED;
    source
        .offers(base)
        .forEach(
            (pool, offer) -> {
              for (IpFamily family : IpFamily.values()) {
                FamilyPool found = pools.find(pool, family);
                Set<Cidr> offered = new HashSet<>(offer.in(family).cidrs());
                if (found != null) {
                  checkEquation(offered, found);
                } else {
                  assertThat(offered).isEmpty();
                }
              }
            });
  }

  private static void checkEquation(Set<Cidr> offered, FamilyPool found) {
    CidrStates states = found.ranges().states();
    List<Cidr> accounted = new ArrayList<>(states.dropped());
    accounted.addAll(states.rejected().keySet());
    states.entries().stream()
        .filter(each -> !each.withdrawn())
        .forEach(each -> accounted.add(each.cidr()));
    assertThat(accounted).doesNotHaveDuplicates().hasSameElementsAs(offered);
    assertThat(found.unexplained()).isZero();
    assertThat(found.rebuilds()).isZero();
  }

  void check() {
    Map<Place, String> held = new TreeMap<>();
    for (PoolSnapshot each : pools.ipam().snapshot()) {
      Map<Held, Integer> counts = new EnumMap<>(Held.class);
      each.held()
          .forEach(
              one -> {
                counts.merge(one.state(), 1, Integer::sum);
                if (one.state() == Held.IN_USE) {
                  held.put(new Place(each.pool().value(), one.ip()), one.owner());
                }
              });
      assertThat(each.counts().inUse()).isEqualTo(counts.getOrDefault(Held.IN_USE, 0));
      assertThat(each.counts().cooling()).isEqualTo(counts.getOrDefault(Held.COOLING, 0));
      assertThat(each.counts().excluded()).isEqualTo(counts.getOrDefault(Held.EXCLUDED, 0));
      int free =
          entries(each.pool().value(), each.family())
              .filter(CidrEntry::isDrawn)
              .mapToInt(entry -> free(each.pool().value(), entry))
              .sum();
      assertThat(each.counts().available())
          .as("%s %s", each, pools.find(each.pool(), each.family()))
          .isEqualTo(free);
    }
    assertThat(held).isEqualTo(pods);
  }

  /** When all is quiet, no block waits for anything, and demand that can be met is met. */
  void settle() {
    for (int i = 0; i < 12; i++) {
      pass(Duration.ofSeconds(61));
      NodeResource applied = see(operator.versions.size() - 1);
      stored = Optional.of(pools.remembered());
      if (!applied.sameSpec(operator.newest())) {
        givenBack += operator.stored(applied, now()).size();
      }
      see(operator.versions.size() - 1);
    }
    for (String pool : List.of("default", "mars")) {
      for (IpFamily family : IpFamily.values()) {
        FamilyPool found = pools.find(new PoolName(pool), family);
        if (found != null) {
          assertThat(found.ranges().states().entries())
              .allMatch(each -> each.withdrawn() || each.isDrawn());
        }
      }
    }
  }

  private long now() {
    return time.nanos();
  }
}
