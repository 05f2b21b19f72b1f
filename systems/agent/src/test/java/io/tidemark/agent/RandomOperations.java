package io.tidemark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One sequence of random operations on a facade with three shards, and on their models. */
final class RandomOperations {
  private static final PoolName BLUE = new PoolName("blue");
  private static final PoolName NONE = new PoolName("none");
  private static final List<PoolName> POOLS =
      List.of(TestNode.DEFAULT, TestNode.DEFAULT, BLUE, NONE);
  private static final List<Integer> LENGTHS = List.of(0, 2, 3, 4, 4, 4);

  private final Random random;
  private final VirtualTime time = new VirtualTime(0);
  private final CoolingRule rule;
  private final Cidr ipv4;
  private final Cidr blue;
  private final Cidr ipv6;
  private final List<PoolModel> models;
  private final List<Lease> leases = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();
  private VirtualProcess process;
  private Ipam ipam;
  private int grants;

  RandomOperations(long seed) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    Duration pause = Duration.ofSeconds(random.nextInt(3) == 0 ? 0 : 20);
    rule = new CoolingRule(pause, random.nextBoolean() ? Duration.ZERO : pause.dividedBy(4));
    ipv4 = Cidr.containing(IpAddress.parse("10.0.0.0"), 27 + random.nextInt(6));
    blue = Cidr.parse("10.0.0.0/29");
    ipv6 = Cidr.containing(IpAddress.parse("f00d::"), 123 + random.nextInt(6));
    models =
        List.of(model(TestNode.DEFAULT, ipv4), model(BLUE, blue), model(TestNode.DEFAULT, ipv6));
    process = time.process("agent");
    ipam = start(0);
  }

  private PoolModel model(PoolName pool, Cidr cidr) {
    HostRange range = HostRange.of(cidr, 0);
    List<IpAddress> all = IntStream.range(0, range.capacity()).mapToObj(range::address).toList();
    return new PoolModel(pool, all, 0, rule);
  }

  private Ipam start(int seed) {
    return Ipam.builder(process, new Random(random.nextLong()))
        .cooling(rule)
        .pool(TestNode.DEFAULT, HostRange.of(ipv4, seed))
        .pool(BLUE, HostRange.of(blue, seed))
        .pool(TestNode.DEFAULT, HostRange.of(ipv6, seed))
        .build();
  }

  int grants() {
    return grants;
  }

  @Override
  public String toString() {
    return rule + " " + String.join("; ", steps);
  }

  // ---- steps

  void step() {
    switch (random.nextInt(15)) {
      case 0, 1 -> allocate();
      case 2, 3, 4 -> allocateNext();
      case 5 -> pair(Duration.ZERO);
      case 6 -> pair(Duration.ofSeconds(1 + random.nextInt(30)));
      case 7, 8 -> release();
      case 9 -> startLease();
      case 10 -> stopLease();
      case 11 -> reserve();
      case 12 -> pass();
      case 13 -> releaseAll();
      default -> {
        if (random.nextInt(4) == 0) {
          restart();
        } else {
          pass();
        }
      }
    }
  }

  private void allocate() {
    PoolName pool = pool();
    IpAddress ip = address();
    String owner = owner();
    steps.add("allocate " + ip + " " + pool);
    Allocation allocation = ipam.allocate(ip, owner, pool, UpstreamSync.NOW);
    Optional<PoolModel> model = model(ip.family(), pool);
    Optional<Denial> expected = model.isEmpty() ? notReady(ip, pool) : refusal(model.get(), ip);
    assertThat(denial(allocation)).isEqualTo(expected);
    if (expected.isEmpty()) {
      grants++;
      model.orElseThrow().use(ip, owner);
    }
  }

  private static Optional<Denial> notReady(IpAddress ip, PoolName pool) {
    return Optional.of(Denial.poolNotReady(pool, ip.family()));
  }

  private Optional<Denial> refusal(PoolModel model, IpAddress ip) {
    if (model.reservedBy(ip).isPresent()) {
      return Optional.of(Denial.excluded(ip, model.pool, model.reservedBy(ip).get()));
    }
    if (!model.addresses.contains(ip)) {
      Cidr cidr = model.pool.equals(BLUE) ? blue : ip.family() == IpFamily.IPV4 ? ipv4 : ipv6;
      return Optional.of(Denial.notInRange(ip, cidr.toString()));
    }
    return Optional.ofNullable(model.used.get(ip))
        .map(use -> Denial.alreadyAllocated(ip, use.owner));
  }

  private void allocateNext() {
    IpFamily family = family();
    PoolName pool = pool();
    String owner = owner();
    steps.add("next " + family + " " + pool);
    Optional<IpAddress> expected = next(family, pool, owner);
    Allocation allocation = ipam.allocateNext(family, owner, pool, UpstreamSync.NOW);
    assertThat(address(allocation)).isEqualTo(expected);
  }

  private Optional<IpAddress> next(IpFamily family, PoolName pool, String owner) {
    Optional<PoolModel> model = model(family, pool);
    Optional<IpAddress> ip = model.flatMap(each -> each.next(now()));
    ip.ifPresent(each -> model.orElseThrow().use(each, owner));
    grants += ip.isPresent() ? 1 : 0;
    return ip;
  }

  private void pair(Duration timeout) {
    PoolName pool = pool();
    String owner = owner();
    steps.add("pair " + pool + " " + timeout);
    boolean both =
        Stream.of(IpFamily.values())
            .allMatch(each -> model(each, pool).filter(it -> it.hasNext(now())).isPresent());
    Optional<IpAddress> ip6 = both ? next(IpFamily.IPV6, pool, owner) : Optional.empty();
    Optional<IpAddress> ip4 = both ? next(IpFamily.IPV4, pool, owner) : Optional.empty();
    PairAllocation pair = ipam.allocateNextPair(owner, pool, UpstreamSync.NOW, timeout);
    if (pair instanceof PairAllocation.Granted granted) {
      assertThat(granted.ipv4().map(AllocationResult::ip)).isEqualTo(ip4);
      assertThat(granted.ipv6().map(AllocationResult::ip)).isEqualTo(ip6);
      Stream.of(granted.ipv4(), granted.ipv6())
          .flatMap(Optional::stream)
          .flatMap(each -> each.lease().stream())
          .forEach(lease -> started(lease, timeout));
    } else {
      assertThat(ip4).isEmpty();
    }
  }

  private void release() {
    PoolName pool = pool();
    IpAddress ip = random.nextInt(4) == 0 ? address() : addressInUse();
    steps.add("release " + ip + " " + pool);
    assertThat(ipam.release(ip, pool)).isEmpty();
    model(ip.family(), pool).ifPresent(model -> model.release(ip, now()));
  }

  private void releaseAll() {
    String owner = owner();
    steps.add("release all of " + owner);
    int released = 0;
    for (PoolModel model : models) {
      List<IpAddress> own = model.usedBy(owner);
      own.forEach(ip -> model.release(ip, now()));
      released += own.size();
    }
    assertThat(ipam.releaseAll(owner)).isEqualTo(released);
  }

  private void startLease() {
    PoolName pool = pool();
    IpAddress ip = random.nextInt(4) == 0 ? address() : addressInUse();
    Duration timeout = Duration.ofSeconds(1 + random.nextInt(30));
    steps.add("lease " + ip + " " + pool + " " + timeout);
    Optional<PoolModel.Use> use =
        model(ip.family(), pool).flatMap(model -> Optional.ofNullable(model.used.get(ip)));
    Lease.Start start = ipam.startLease(ip, pool, timeout);
    boolean expected = use.isPresent() && use.get().lease == null;
    assertThat(start instanceof Lease.Start.Started).isEqualTo(expected);
    if (start instanceof Lease.Start.Started started) {
      started(started.lease(), timeout);
    }
  }

  private void started(Lease lease, Duration timeout) {
    leases.add(lease);
    PoolModel.Use use = Objects.requireNonNull(use(lease), "a lease of an address in use");
    use.lease = lease;
    use.due = now() + timeout.toNanos();
    use.started = leases.size();
  }

  private PoolModel.@Nullable Use use(Lease lease) {
    return model(lease.ip().family(), lease.pool()).orElseThrow().used.get(lease.ip());
  }

  /** One that runs, ran out, was stopped, or ended with its address or before a restart. */
  private void stopLease() {
    if (leases.isEmpty()) {
      return;
    }
    Lease lease = leases.get(random.nextInt(leases.size()));
    steps.add("stop " + lease);
    PoolModel.Use use = use(lease);
    boolean runs = use != null && lease.equals(use.lease);
    assertThat(ipam.stopLease(lease).isEmpty()).isEqualTo(runs);
    if (use != null && runs) {
      use.lease = null;
    }
  }

  private void reserve() {
    PoolName pool = pool();
    IpFamily family = family();
    int length = family.bits() - LENGTHS.get(random.nextInt(LENGTHS.size()));
    Cidr block = Cidr.containing(base(family).plus(random.nextInt(40)), length);
    Optional<PoolModel> model = model(family, pool);
    if (random.nextInt(3) == 0) {
      steps.add("reserve " + block + " " + pool);
      String owner = owner();
      ipam.exclude(block, owner, pool);
      model.ifPresent(each -> each.reserved.put(block, owner));
    } else {
      List<Cidr> known = model.map(each -> List.copyOf(each.reserved.keySet())).orElse(List.of());
      Cidr gone = known.isEmpty() ? block : known.get(random.nextInt(known.size()));
      steps.add("include " + gone + " " + pool);
      ipam.include(gone, pool);
      model.ifPresent(each -> each.include(gone, now()));
    }
  }

  private void pass() {
    Duration duration = Duration.ofSeconds(random.nextInt(15));
    steps.add("pass " + duration);
    time.runUntil(now() + duration.toNanos());
    models.forEach(model -> model.runOut(now()));
  }

  /** The program ends; another one restores what pods hold. */
  private void restart() {
    int seed = random.nextInt(50);
    steps.add("restart " + seed);
    process.crash(VirtualProcess.OnTheWire.IS_LOST);
    process = time.process("agent");
    ipam = start(seed);
    for (PoolModel model : models) {
      model.restart(seed);
      model.used.forEach(
          (ip, use) ->
              assertThat(denial(ipam.allocate(ip, use.owner, model.pool, UpstreamSync.DEFER)))
                  .isEmpty());
      model.reserved.forEach((block, owner) -> ipam.exclude(block, owner, model.pool));
    }
  }

  // ---- after each step

  void check() {
    List<PoolSnapshot> pools = ipam.snapshot();
    assertThat(pools).hasSize(models.size());
    for (PoolModel model : models) {
      IpFamily family = model.addresses.get(0).family();
      PoolSnapshot found =
          pools.stream()
              .filter(each -> each.family() == family && each.pool().equals(model.pool))
              .findFirst()
              .orElseThrow();
      assertThat(found.held()).isEqualTo(model.held(now()));
      assertThat(found.counts()).isEqualTo(model.counts(now()));
      assertThat(found.exclusions()).isEqualTo(model.reserved);
    }
  }

  /** After the last pod, reservation and pause, each address is allocated again, once. */
  void checkAllFree() {
    models.forEach(
        model -> List.copyOf(model.reserved.keySet()).forEach(it -> ipam.include(it, model.pool)));
    models.stream()
        .flatMap(model -> model.used.values().stream().map(use -> use.owner))
        .forEach(ipam::releaseAll);
    time.runUntil(now() + rule.pause().toNanos());
    for (PoolModel model : models) {
      List<IpAddress> allocated = new ArrayList<>();
      for (IpAddress ip : model.addresses) {
        address(ipam.allocateNext(ip.family(), "last", model.pool, UpstreamSync.NOW))
            .ifPresent(allocated::add);
      }
      assertThat(allocated).containsExactlyInAnyOrderElementsOf(model.addresses);
    }
  }

  // ---- draws

  private Optional<PoolModel> model(IpFamily family, PoolName pool) {
    return models.stream()
        .filter(each -> each.pool.equals(pool) && each.addresses.get(0).family() == family)
        .findFirst();
  }

  private PoolName pool() {
    return POOLS.get(random.nextInt(POOLS.size()));
  }

  private IpFamily family() {
    return random.nextBoolean() ? IpFamily.IPV4 : IpFamily.IPV6;
  }

  private String owner() {
    return "pod-" + random.nextInt(5);
  }

  private static IpAddress base(IpFamily family) {
    return IpAddress.parse(family == IpFamily.IPV4 ? "10.0.0.0" : "f00d::");
  }

  private IpAddress address() {
    return base(family()).plus(random.nextInt(34));
  }

  private IpAddress addressInUse() {
    List<IpAddress> all =
        models.stream().flatMap(each -> each.used.keySet().stream()).sorted().toList();
    return all.isEmpty() ? address() : all.get(random.nextInt(all.size()));
  }

  private static Optional<Denial> denial(Allocation allocation) {
    return allocation instanceof Allocation.Denied denied
        ? Optional.of(denied.denial())
        : Optional.empty();
  }

  private static Optional<IpAddress> address(Allocation allocation) {
    return allocation instanceof Allocation.Granted granted
        ? Optional.of(granted.result().ip())
        : Optional.empty();
  }

  private long now() {
    return time.nanos();
  }
}
