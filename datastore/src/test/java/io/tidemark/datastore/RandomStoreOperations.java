package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.file.CrashingFiles;
import io.tidemark.file.CrashingFiles.Crash;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One sequence of random operations on a store, with a file that fails, and on its model. */
final class RandomStoreOperations {
  private static final List<Fault> CRASHES =
      List.of(Fault.CRASH_BEFORE, Fault.CRASH_INSIDE, Fault.CRASH_AFTER);

  private final Random random;
  private final TestStore node;
  private final StoreModel model;
  private final CidrKind mode;
  private final List<String> steps = new ArrayList<>();
  private int grants;
  private int crashes;
  private int failures;

  /** Requests of which a crash may have kept the answer back. */
  private final Map<String, CompletableFuture<?>> underWay = new TreeMap<>();

  /** Pods whose request a write failed: until the next one the file may have it all the same. */
  private final Set<String> perhapsAssigned = new HashSet<>();

  /** And when their release began. */
  private final Map<String, Long> perhapsReleased = new HashMap<>();

  RandomStoreOperations(long seed) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    mode = random.nextBoolean() ? CidrKind.PREFIX : CidrKind.SECONDARY;
    CooldownRule rule =
        switch (random.nextInt(3)) {
          case 0 -> new CooldownRule(Duration.ZERO, Duration.ZERO);
          case 1 -> new CooldownRule(Duration.ofSeconds(20), Duration.ofSeconds(20));
          default -> new CooldownRule(Duration.ofSeconds(20), Duration.ofSeconds(5));
        };
    node = new TestStore(mode, rule, new VirtualTime(0), new CrashingFiles());
    model = new StoreModel(rule);
    addEnis();
    RecoveryReport unused = node.recover(CheckpointData.EMPTY);
  }

  private void addEnis() {
    for (int i = 0; i < 3; i++) {
      node.with("eni-" + i, i);
    }
  }

  int grants() {
    return grants;
  }

  int crashes() {
    return crashes;
  }

  int failures() {
    return failures;
  }

  @Override
  public String toString() {
    return mode + " " + node.cooldown + " " + String.join("; ", steps);
  }

  private long now() {
    return node.time.nanos();
  }

  private String pod() {
    return "pod-" + random.nextInt(6);
  }

  private Cidr block() {
    IpAddress ip = IpAddress.parse("10.0.0.0").plus(random.nextInt(12));
    return mode == CidrKind.PREFIX ? Cidr.containing(ip, 30) : Cidr.single(ip);
  }

  // ---- steps

  void step() {
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> requests();
      case 4, 5 -> add();
      case 6 -> remove();
      case 7 -> exclude();
      case 8 -> giveBack();
      case 9 -> pass();
      case 10 -> growth();
      default -> restart();
    }
  }

  /**
   * One to four requests of different pods, which share writes that may fail or end the program.
   */
  private void requests() {
    boolean crash = random.nextInt(12) == 0;
    if (crash || random.nextInt(5) == 0) {
      int at = node.files.changes().size() + random.nextInt(8);
      Fault fault = crash ? CRASHES.get(random.nextInt(3)) : Fault.FAILS;
      node.files.fault(at, fault, random.nextInt(400));
    }
    Set<String> pods = new TreeSet<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      pods.add(pod());
    }
    long began = now();
    Set<IpAddress> before = new HashSet<>(model.assigned.keySet());
    underWay.clear();
    Map<String, Boolean> assigns = new HashMap<>();
    try {
      for (String pod : pods) {
        boolean assign = random.nextInt(5) < 3;
        assigns.put(pod, assign);
        steps.add((assign ? "assign " : "release ") + pod);
        underWay.put(
            pod,
            (assign
                    ? node.store.assign(TestStore.key(pod), TestStore.POD, IpFamily.IPV4)
                    : node.store.release(TestStore.key(pod)))
                .toCompletableFuture());
      }
      node.pass(Duration.ofMillis(100));
    } catch (Crash e) {
      steps.add("crash");
      crashes++;
      crashed(assigns, began);
      return;
    }
    node.files.restart();
    Map<String, Optional<IpAddress>> had = new HashMap<>();
    pods.forEach(pod -> had.put(pod, Optional.ofNullable(model.of(pod))));
    pods.stream()
        .filter(pod -> Boolean.FALSE.equals(assigns.get(pod)))
        .forEach(pod -> released(pod, began));
    for (String pod : pods) {
      if (Boolean.TRUE.equals(assigns.get(pod))) {
        assigned(pod, had.getOrDefault(pod, Optional.empty()), before, began, pods.size() == 1);
      }
    }
  }

  /** Null when there is none. */
  private @Nullable Object answer(String pod) {
    CompletableFuture<?> stage = underWay.get(pod);
    return stage == null ? null : stage.getNow(null);
  }

  private void released(String pod, long began) {
    Object outcome = answer(pod);
    if (outcome instanceof ReleaseOutcome.Released ended) {
      assertThat(ended.assignments()).hasSize(1);
      assertThat(ended.assignments().get(0).address()).isEqualTo(model.of(pod));
      model.release(pod, began);
    } else if (outcome instanceof ReleaseOutcome.Unknown) {
      assertThat(model.of(pod)).isNull();
      model.orphans.values().removeIf(pod::equals);
    } else {
      assertThat(outcome).isInstanceOf(ReleaseOutcome.Refused.class);
      perhapsReleased.put(pod, began);
      failures++;
    }
  }

  private void assigned(
      String pod, Optional<IpAddress> had, Set<IpAddress> before, long began, boolean alone) {
    Object outcome = answer(pod);
    if (outcome instanceof AssignOutcome.Granted granted) {
      IpAddress ip = granted.assignment().address();
      grants++;
      if (had.isPresent()) {
        assertThat(had).as("a repeated request").contains(ip);
      } else {
        assertThat(before).doesNotContain(ip);
        assertThat(model.mayBeAssigned(ip, now(), alone)).as("%s may be assigned", ip).isTrue();
        model.assign(pod, ip);
      }
    } else if (outcome instanceof AssignOutcome.NoAddress) {
      assertThat(had).isEmpty();
      if (alone) {
        assertThat(model.anyFree(began)).isFalse();
      }
    } else {
      assertThat(outcome).isInstanceOf(AssignOutcome.Refused.class);
      perhapsAssigned.add(pod);
      failures++;
    }
  }

  private void add() {
    Cidr block = block();
    String eni = "eni-" + random.nextInt(3);
    steps.add("add " + block);
    boolean overlaps = model.blocks.keySet().stream().anyMatch(block::overlaps);
    assertThat(node.store.addCidr(eni, block, mode).isPresent()).isEqualTo(overlaps);
    if (!overlaps) {
      model.place(block, eni);
    }
    settle();
  }

  private void remove() {
    Cidr block = block();
    Removal removal = random.nextInt(3) == 0 ? Removal.FORCED : Removal.UNUSED_ONLY;
    String eni = model.blocks.getOrDefault(block, "eni-0");
    steps.add("remove " + block + " " + removal);
    boolean allowed =
        model.blocks.containsKey(block) && (removal == Removal.FORCED || !model.isUsed(block));
    assertThat(node.store.removeCidr(eni, block, removal).isEmpty()).isEqualTo(allowed);
    if (allowed) {
      model.unplace(block, now());
    }
    settle();
  }

  private void exclude() {
    String eni = "eni-" + random.nextInt(3);
    steps.add("exclude or include " + eni);
    if (model.excluded.remove(eni)) {
      assertThat(node.store.include(eni)).isEmpty();
    } else {
      model.excluded.add(eni);
      assertThat(node.store.exclude(eni)).isEmpty();
    }
  }

  private void giveBack() {
    ReturnTicket ticket = node.store.reserveForReturn(IpFamily.IPV4, mode, 1 + random.nextInt(3));
    steps.add("give back " + ticket.cidrs());
    List<Cidr> returned = new ArrayList<>();
    for (ReturnTicket.Returned each : ticket.cidrs()) {
      assertThat(model.isUsed(each.cidr())).isFalse();
      if (random.nextBoolean()) {
        returned.add(each.cidr());
        model.unplace(each.cidr(), now());
      }
    }
    ticket.commit(returned);
  }

  private void pass() {
    Duration duration = Duration.ofSeconds(random.nextInt(25));
    steps.add("pass " + duration);
    node.pass(duration);
  }

  private void growth() {
    model.growable = !model.growable;
    steps.add(model.growable ? "can grow" : "cannot grow");
    if (model.growable) {
      node.store.canGrow();
    } else {
      node.store.cannotGrow();
    }
  }

  private void settle() {
    node.pass(Duration.ofMillis(100));
  }

  // ---- the program ends

  private void restart() {
    steps.add("restart");
    crashed(Map.of(), now());
  }

  /** What was answered must be there; what was under way may be. */
  private void crashed(Map<String, Boolean> assigns, long began) {
    node.files.restart();
    node.files.losePower(random);
    CheckpointData data = node.inFile();
    node.restarted();
    addEnis();
    model.blocks.forEach(
        (block, eni) -> assertThat(node.store.addCidr(eni, block, mode)).isEmpty());
    model.excluded.forEach(eni -> assertThat(node.store.exclude(eni)).isEmpty());
    model.growable = true;
    node.recover(data);
    Map<IpAddress, String> found = new TreeMap<>();
    node.store
        .assigned()
        .forEach(each -> found.put(each.assignment().address(), each.entry().key().containerId()));
    Map<IpAddress, String> certain = new TreeMap<>(model.assigned);
    Map<IpAddress, String> possible = new TreeMap<>(model.assigned);
    assigns.forEach(
        (pod, assign) -> {
          Object answer = answer(pod);
          if (!assign) {
            certain.values().removeIf(pod::equals);
          }
          if (!assign && answer instanceof ReleaseOutcome.Released) {
            possible.values().removeIf(pod::equals);
          }
          if (answer instanceof AssignOutcome.Granted granted) {
            certain.put(granted.assignment().address(), pod);
          }
        });
    certain.values().removeIf(perhapsReleased::containsKey);
    assertThat(found).as("what was answered").containsAllEntriesOf(certain);
    found.forEach(
        (ip, pod) -> {
          if (!pod.equals(possible.get(ip))) {
            boolean asked = Boolean.TRUE.equals(assigns.get(pod)) || perhapsAssigned.contains(pod);
            assertThat(asked).as("%s of %s", ip, pod).isTrue();
          }
        });
    for (IpAddress ip : List.copyOf(model.assigned.keySet())) {
      if (!found.containsKey(ip)) {
        String pod = model.assigned.getOrDefault(ip, "");
        model.release(pod, perhapsReleased.getOrDefault(pod, began));
      }
    }
    model.assigned.clear();
    model.assigned.putAll(found);
    found.keySet().forEach(model.released::remove);
    model.orphans.clear();
    node.store
        .orphans()
        .forEach(each -> model.orphans.put(each.address().orElseThrow(), key(each.entry())));
  }

  private static String key(CheckpointEntry entry) {
    return entry.key().containerId();
  }

  // ---- after each step

  void check() {
    Map<IpAddress, String> found = new TreeMap<>();
    for (DataStore.Assigned each : node.store.assigned()) {
      assertThat(found.put(each.assignment().address(), key(each.entry()))).isNull();
    }
    assertThat(found).isEqualTo(model.assigned);
    assertThat(found.keySet()).allMatch(model::isHere);
    long size = model.blocks.keySet().stream().mapToLong(Cidr::sizeSaturated).sum();
    assertThat(node.total()).isEqualTo(size);
    int inUse = node.store.view().enis().stream().mapToInt(PoolView.EniView::inUse).sum();
    assertThat(inUse).isEqualTo(found.size());
    Map<IpAddress, String> orphans = new TreeMap<>();
    node.store.orphans().forEach(it -> orphans.put(it.address().orElseThrow(), key(it.entry())));
    assertThat(orphans).isEqualTo(model.orphans);
    if (node.store.unhealthy().isEmpty()) {
      perhapsAssigned.clear();
      perhapsReleased.clear();
      Map<IpAddress, String> written = new TreeMap<>();
      node.inFile()
          .allocations()
          .forEach(each -> written.put(each.ipv4().orElseThrow(), key(each)));
      assertThat(written).as("the file").isEqualTo(found);
    }
  }
}
