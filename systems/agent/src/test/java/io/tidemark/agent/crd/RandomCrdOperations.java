package io.tidemark.agent.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.agent.PoolSnapshot.HeldAddress;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.StoreResult;
import io.tidemark.resource.UsedAddress;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** One sequence of random operations on an agent and on its node's object, and on a model. */
final class RandomCrdOperations {
  private static final IpAddress BASE = IpAddress.parse("10.0.0.0");
  private static final int ADDRESSES = 12;

  private final Random random;
  private final CrdWorld world = new CrdWorld();
  private final CrdModel model;
  private final List<String> steps = new ArrayList<>();
  private int grants;
  private int promises;

  RandomCrdOperations(long seed) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    Duration pause = Duration.ofSeconds(random.nextInt(3) == 0 ? 0 : 20);
    world.cooling =
        new CoolingRule(pause, random.nextBoolean() ? Duration.ZERO : pause.dividedBy(4));
    model = new CrdModel(world.cooling);
    world.faults =
        operation ->
            operation == Operation.UPDATE_STATUS && random.nextInt(6) == 0
                ? Optional.of(fault())
                : Optional.empty();
    world.object(randomPool(Samples.node(CrdWorld.NODE).instanceId("i-1").build()));
    world.start();
    settle();
  }

  private StoreResult fault() {
    return random.nextBoolean() ? new StoreResult.Conflict() : new StoreResult.Failed("lost");
  }

  int grants() {
    return grants;
  }

  int promises() {
    return promises;
  }

  @Override
  public String toString() {
    return world.cooling + " " + String.join("; ", steps);
  }

  // ---- steps

  void step() {
    switch (random.nextInt(13)) {
      case 0 -> allocate();
      case 1, 2, 3 -> allocateNext();
      case 4, 5 -> release();
      case 6 -> edit("pool", this::randomPool);
      case 7, 8 -> edit("marks", this::randomMarks);
      case 9 -> edit("operator", this::operatorGoesOn);
      case 10 -> deleteOrRestart();
      default -> pass();
    }
    settle();
  }

  /** Everything that is on its way arrives. */
  private void settle() {
    world.pass(Duration.ofMillis(100));
    world.server.find(CrdWorld.NODE).ifPresentOrElse(model::saw, model::gone);
  }

  private void pass() {
    Duration duration = Duration.ofSeconds(random.nextInt(20));
    steps.add("pass " + duration);
    world.pass(duration);
  }

  private void allocate() {
    IpAddress ip = address();
    String owner = "pod-" + steps.size();
    steps.add("allocate " + ip);
    boolean expected = model.mayUse(ip) && !model.used.containsKey(ip);
    Allocation allocation = world.ipam().allocate(ip, owner, CrdWorld.POOL, UpstreamSync.NOW);
    assertThat(allocation instanceof Allocation.Granted)
        .as(allocation.toString())
        .isEqualTo(expected);
    if (expected) {
      model.use(ip, owner);
      grants++;
    }
  }

  private void allocateNext() {
    String owner = "pod-" + steps.size();
    steps.add("next");
    List<IpAddress> expected = model.next(world.time.nanos());
    Allocation allocation =
        world.ipam().allocateNext(IpFamily.IPV4, owner, CrdWorld.POOL, UpstreamSync.NOW);
    if (allocation instanceof Allocation.Granted granted) {
      assertThat(expected).contains(granted.result().ip());
      model.use(granted.result().ip(), owner);
      grants++;
    } else {
      assertThat(expected).as(allocation.toString()).isEmpty();
    }
  }

  private void release() {
    List<IpAddress> all = new ArrayList<>(model.used.keySet());
    IpAddress ip =
        all.isEmpty() || random.nextInt(5) == 0 ? address() : all.get(random.nextInt(all.size()));
    steps.add("release " + ip);
    model.release(ip, world.time.nanos());
    world.release(ip.toString());
  }

  private void edit(String name, java.util.function.UnaryOperator<NodeResource> change) {
    steps.add(name);
    if (world.server.find(CrdWorld.NODE).isPresent()) {
      world.editSilently(change);
      if (random.nextBoolean()) {
        world.editSilently(change);
      }
    }
  }

  /** An operator takes no address away that it has not released. */
  private NodeResource randomPool(NodeResource node) {
    AddressSet.Builder first = AddressSet.builder();
    AddressSet.Builder second = AddressSet.builder();
    for (int i = 0; i < ADDRESSES; i++) {
      IpAddress ip = BASE.plus(i);
      if (node.releaseIps().get(ip) == null ? random.nextInt(3) > 0 : node.pool().contains(ip)) {
        (i % 3 == 0 ? second : first).add(ip);
      }
    }
    SortedMap<String, EniStatus.Eni> enis = new TreeMap<>();
    enis.put("eni-1", Samples.eni("eni-1", 1, addresses(false)));
    if (random.nextInt(4) > 0) {
      enis.put("eni-2", Samples.eni("eni-2", 2, addresses(true)));
    }
    return node.withPool(PodIpPool.of(Map.of("eni-1", first.build(), "eni-2", second.build())))
        .withEniStatus(new EniStatus(enis));
  }

  private static String[] addresses(boolean second) {
    return IntStream.range(0, ADDRESSES)
        .filter(i -> i % 3 == 0 == second)
        .mapToObj(i -> BASE.plus(i).toString())
        .toArray(String[]::new);
  }

  private NodeResource randomMarks(NodeResource node) {
    Map<IpAddress, HandshakeState> marks = new HashMap<>(node.releaseIps());
    IpAddress ip = address();
    if (marks.containsKey(ip) && marks.get(ip) != HandshakeState.RELEASED) {
      marks.remove(ip);
    } else {
      marks.putIfAbsent(ip, HandshakeState.MARKED_FOR_RELEASE);
    }
    return node.withReleaseIps(marks);
  }

  /** A promised address is released: no pod has it, and it leaves the pool. */
  private NodeResource operatorGoesOn(NodeResource node) {
    Map<IpAddress, HandshakeState> marks = new HashMap<>(node.releaseIps());
    Map<String, AddressSet> pool = new HashMap<>(node.pool().byResource());
    node.releaseIps()
        .forEach(
            (ip, state) -> {
              if (state == HandshakeState.READY_FOR_RELEASE) {
                assertThat(model.used).as("an address that was promised").doesNotContainKey(ip);
                promises++;
                marks.put(ip, HandshakeState.RELEASED);
                pool.replaceAll((id, addresses) -> addresses.minus(ip));
              } else if (state == HandshakeState.DO_NOT_RELEASE) {
                marks.remove(ip);
              }
            });
    return node.withReleaseIps(marks).withPool(PodIpPool.of(pool));
  }

  private void deleteOrRestart() {
    Optional<NodeResource> node = world.server.find(CrdWorld.NODE);
    if (node.isEmpty()) {
      steps.add("create");
      world.object(randomPool(Samples.node(CrdWorld.NODE).instanceId("i-1").build()));
    } else if (random.nextInt(4) == 0) {
      steps.add("delete");
      world.server.delete(CrdWorld.NODE);
    } else if (random.nextInt(2) == 0) {
      steps.add("restart");
      world.crash();
      world.begin();
      model.restart();
      model.used.forEach(
          (ip, owner) ->
              assertThat(world.ipam().restore(ip, owner, CrdWorld.POOL))
                  .isInstanceOf(Allocation.Granted.class));
      world.finish();
    }
  }

  private IpAddress address() {
    return BASE.plus(random.nextInt(ADDRESSES));
  }

  // ---- after each step

  void check() {
    long now = world.time.nanos();
    SortedMap<IpAddress, String> used = new TreeMap<>();
    for (HeldAddress held : world.pool().held()) {
      if (held.state() == Held.IN_USE) {
        used.put(held.ip(), held.owner());
      } else {
        assertThat(model.cools(held.ip(), now)).as("%s cools", held.ip()).isTrue();
      }
    }
    assertThat(used).isEqualTo(model.used);
    List<IpAddress> next = model.next(now);
    int available = world.pool().counts().available();
    assertThat(available)
        .isEqualTo((int) next.stream().filter(ip -> !model.cools(ip, now)).count());
  }

  /** When all is quiet the object says what the agent has. */
  void checkAtRest() {
    world.faults = operation -> Optional.empty();
    world.pass(CrdWorld.RATE.multipliedBy(4));
    settle();
    if (world.server.find(CrdWorld.NODE).isPresent()) {
      Map<IpAddress, String> owners = new TreeMap<>();
      for (Map.Entry<IpAddress, UsedAddress> each : world.now().usedEntries().entrySet()) {
        owners.put(each.getKey(), each.getValue().owner());
      }
      assertThat(owners).isEqualTo(model.used);
      if (!world.now().pool().isEmpty()) {
        assertThat(world.now().releaseIps().values())
            .doesNotContain(HandshakeState.MARKED_FOR_RELEASE, HandshakeState.RELEASED);
      }
      checkAllFree();
    }
    world.close();
  }

  /** After the last pod, mark and pause, each address of the pool is allocated again, once. */
  private void checkAllFree() {
    world.editSilently(node -> randomPool(node.withReleaseIps(Map.of())));
    List.copyOf(model.used.keySet()).forEach(ip -> world.release(ip.toString()));
    world.pass(CrdWorld.RATE.multipliedBy(4).plus(world.cooling.pause()));
    model.used.clear();
    settle();
    List<IpAddress> usable = model.next(world.time.nanos());
    List<IpAddress> allocated = new ArrayList<>();
    for (int i = 0; i < ADDRESSES; i++) {
      if (world.ipam().allocateNext(IpFamily.IPV4, "last-" + i, CrdWorld.POOL, UpstreamSync.NOW)
          instanceof Allocation.Granted granted) {
        allocated.add(granted.result().ip());
      }
    }
    assertThat(allocated).containsExactlyInAnyOrderElementsOf(usable);
  }
}
