package io.tidemark.datastore.cloud;

import static io.tidemark.datastore.cloud.TestLoop.MINUTE;
import static io.tidemark.datastore.cloud.TestLoop.SECOND;
import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.DatastoreStats;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import io.tidemark.datastore.cloud.PoolDecision.Circumstances;
import io.tidemark.datastore.cloud.PoolDecision.Step;
import io.tidemark.datastore.plan.Pending;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.PoolPlan.Growth;
import io.tidemark.datastore.plan.PoolPlanner;
import io.tidemark.datastore.plan.Profile;
import io.tidemark.datastore.plan.Views;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.demand.DemandSettings;
import io.tidemark.demand.DemandWatermarks;
import io.tidemark.demand.DemandWatermarks.Basis;
import io.tidemark.demand.GrowthKind;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A pool whose spare addresses follow demand")
class PoolDemandTest {
  private static final PoolLimits LIMITS = PoolLimits.of(49, 4);

  private static final WarmTargets UNSET = WarmTargets.DEFAULT;

  @ParameterizedTest(name = "{0} of {2} used, {3} free, {4} pending, {5} wait, at least {6}: {7}")
  @DisplayName("It asks up to the target when fewer than low are free, and gives back above high")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SECONDARY | 3 8 20  | 1  | 3  | 0 | 0 |    | Nothing
          SECONDARY | 3 8 20  | 1  | 2  | 0 | 0 |    | 6 more
          SECONDARY | 3 8 20  | 1  | 0  | 0 | 0 |    | 8 more
          SECONDARY | 3 8 20  | 1  | 0  | 0 | 4 |    | 12 more
          SECONDARY | 3 8 20  | 1  | 5  | 0 | 3 |    | 6 more
          SECONDARY | 3 8 20  | 1  | 5  | 0 | 2 |    | Nothing
          SECONDARY | 3 8 20  | 1  | 2  | 1 | 0 |    | Nothing
          SECONDARY | 3 8 20  | 1  | 20 | 0 | 0 |    | Nothing
          SECONDARY | 3 8 20  | 1  | 21 | 0 | 0 |    | Nothing
          SECONDARY | 3 8 20  | 1  | 22 | 0 | 0 |    | 1 less
          SECONDARY | 3 8 20  | 1  | 25 | 0 | 3 |    | 1 less
          SECONDARY | 3 8 20  | 1  | 20 | 9 | 0 |    | Nothing
          SECONDARY | 3 8 20  | 1  | 3  | 0 | 0 | 10 | 6 more
          SECONDARY | 3 8 20  | 1  | 2  | 0 | 0 | 5  | 6 more
          SECONDARY | 3 8 20  | 1  | 25 | 0 | 0 | 25 | Nothing
          SECONDARY | 3 8 20  | 47 | 2  | 0 | 0 |    | 6 on another
          PREFIX    | 3 8 20  | 14 | 2  | 0 | 0 |    | 1 more
          PREFIX    | 3 40 50 | 14 | 2  | 0 | 0 |    | 3 more
          PREFIX    | 3 8 20  | 0  | 48 | 0 | 0 |    | Nothing
          PREFIX    | 3 8 20  | 0  | 64 | 0 | 0 |    | 1 less
          """)
  void mapped(
      CidrKind mode,
      String watermarks,
      int used,
      int free,
      int pendingAddresses,
      int waiting,
      Integer min,
      String expected) {
    int[] each = Stream.of(watermarks.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
    DemandWatermarks demand = new DemandWatermarks(each[0], each[1], each[2], SECOND, Basis.GROWTH);
    PoolView view = view(mode, used, free);
    Pending pending = new Pending(List.of(), pendingAddresses, 0, 0);
    WarmTargets warm =
        new WarmTargets(
            OptionalInt.empty(), min == null ? OptionalInt.empty() : OptionalInt.of(min), 0, 1);
    assertThat(text(step(view, warm, demand, pending, waiting))).isEqualTo(expected);
  }

  private static Step step(PoolView view, DemandWatermarks demand, int waiting) {
    return step(view, UNSET, demand, Pending.NONE, waiting);
  }

  private static Step step(
      PoolView view, WarmTargets warm, DemandWatermarks demand, Pending pending, int waiting) {
    long free = view.stats(IpFamily.IPV4).usable() + pending.addresses();
    PoolTargets targets =
        new PoolTargets(
            IpFamily.IPV4,
            warm.following(demand, free, waiting, true),
            () -> Optional.of(LIMITS),
            Profile.TIDEMARK);
    Circumstances now = new Circumstances(pending, waiting, false, false, false, true);
    return PoolDecision.of(view, targets, LIMITS, now).step();
  }

  private static PoolView view(CidrKind mode, int used, int free) {
    List<String> words = new ArrayList<>();
    if (mode == CidrKind.PREFIX) {
      words.addAll(used == 0 ? List.of() : List.of("p" + used));
      words.addAll(nCopies(free / 16, "p0"));
    } else {
      words.addAll(nCopies(used, "1"));
      words.addAll(nCopies(free, "0"));
    }
    return Views.of(mode, "0=" + String.join(",", words));
  }

  private static String text(Step step) {
    if (step instanceof Step.Grow grow) {
      return grow.growth() instanceof Growth.OnEni more
          ? more.count() + " more"
          : ((Growth.NewEni) grow.growth()).count() + " on another";
    }
    return step instanceof Step.Return less
        ? less.max() + " less"
        : step.getClass().getSimpleName();
  }

  // ---- stories

  private static TestLoop node(DemandSettings settings, CidrKind mode, int slots) {
    TestLoop node = new TestLoop(mode, UNSET, slots, 8);
    node.demand = Optional.of(settings);
    return node.restarted().started();
  }

  private static DemandWatermarks spare(TestLoop node) {
    return node.loop.status().orElseThrow().spare().orElseThrow();
  }

  private static int free(TestLoop node) {
    return (int) node.view().stats(IpFamily.IPV4).usable();
  }

  private static GrowthKind next(TestLoop node) {
    return PoolPlanner.nextStep(node.view(), PoolLimits.of(node.cloud.slots, node.cloud.maxEnis));
  }

  @Test
  @DisplayName("Until enough pods have come it keeps eight, or what the settings allow")
  void unsure() {
    for (int most : List.of(5, 64)) {
      TestLoop node = node(new DemandSettings(0.999, 1, most), CidrKind.SECONDARY, 10);
      node.pass(MINUTE);
      assertThat(free(node)).isEqualTo(Math.min(most, 8));
      node.add("pod");
      node.pass(MINUTE);
      assertThat(free(node)).isEqualTo(Math.min(most, 8));
      assertThat(spare(node).basis()).isIn(Basis.STATIC, Basis.SPARE_MAX);
    }
  }

  @Test
  @DisplayName("Where the next address needs an interface, which takes longer, more are kept")
  void interfaces() {
    TestLoop node = node(new DemandSettings(0.9, 1, 64), CidrKind.SECONDARY, 49);
    Map<GrowthKind, List<Integer>> lows = new EnumMap<>(GrowthKind.class);
    node.fatesFor = "create";
    for (int pod = 0; pod < 100; pod++) {
      node.fates.add(EffectFate.answered(SECOND, Duration.ofSeconds(14)));
      node.add("pod-" + pod);
      node.pass(SECOND.multipliedBy(5));
      if (pod > 60) {
        lows.computeIfAbsent(next(node), any -> new ArrayList<>()).add(spare(node).low());
      }
    }
    assertThat(lows.keySet()).containsExactly(GrowthKind.ADDRESSES, GrowthKind.INTERFACE);
    assertThat(lows.get(GrowthKind.ADDRESSES)).allMatch(low -> low <= 2);
    assertThat(lows.get(GrowthKind.INTERFACE)).allMatch(low -> low >= 4);
    assertThat(spare(node).leadTime()).isLessThan(SECOND);
  }

  @Test
  @DisplayName("A burst is answered by one request, for the pods that wait and those to come")
  void burst() {
    TestLoop node = node(new DemandSettings(0.9, 1, 16), CidrKind.SECONDARY, 49);
    node.pass(MINUTE);
    int requests = node.calls("assign").size();
    for (int pod = 0; pod < 30; pod++) {
      node.add("pod-" + pod);
    }
    assertThat(node.store.observe().waiting()).isEqualTo(22);
    for (int pod = 8; pod < 30; pod++) {
      node.add("pod-" + pod);
    }
    assertThat(node.store.observe().waiting()).as("each pod once").isEqualTo(22);
    node.pass(SECOND.multipliedBy(5));
    assertThat(node.calls("assign")).hasSize(requests + 1);
    assertThat(free(node)).isEqualTo(22 + 16);
    for (int pod = 8; pod < 20; pod++) {
      node.add("pod-" + pod);
    }
    assertThat(node.store.observe().waiting()).as("those that still wait").isEqualTo(10);
    node.pass(MINUTE);
    assertThat(node.store.observe().waiting()).as("those that do not ask any more").isZero();
  }

  @Test
  @DisplayName("It asks at once, and does not wait for further pods while half of them are free")
  void atOnce() {
    TestLoop node = node(new DemandSettings(0.9, 16, 64), CidrKind.SECONDARY, 49);
    for (int pod = 0; pod < 40; pod++) {
      node.pass(SECOND.multipliedBy(12));
      node.add("pod-" + pod);
      node.pass(SECOND);
      if (pod > 20) {
        assertThat(free(node)).isGreaterThanOrEqualTo(spare(node).low());
      }
    }
  }

  @Test
  @DisplayName("Surplus goes back when its cooldown is over, down to high and no further")
  void surplus() {
    TestLoop node = node(new DemandSettings(0.9, 1, 64), CidrKind.SECONDARY, 49);
    for (int pod = 0; pod < 40; pod++) {
      node.pass(SECOND.multipliedBy(10));
      node.add("pod-" + pod);
    }
    for (int pod = 0; pod < 40; pod++) {
      node.del("pod-" + pod);
    }
    // Pods that came before the start may need them.
    node.pass(SECOND.multipliedBy(2048 - 40 * 10).minus(MINUTE));
    node.pass(PoolDemand.RELEASE_DELAY.minus(SECOND));
    assertThat(node.calls("unassign")).isEmpty();
    node.pass(MINUTE.multipliedBy(2));
    assertThat(free(node)).isEqualTo(spare(node).high() + 1).isLessThan(40);
    int changes = node.cloud.changes.size();
    node.pass(MINUTE.multipliedBy(30));
    assertThat(node.cloud.changes).hasSize(changes);
  }

  // ---- random pods

  @Test
  @DisplayName("What it asks for is enough, and what it gives back is not asked for again")
  void stable() {
    Random random = new Random(7);
    int changes = 0;
    for (int i = 0; i < 2_000; i++) {
      int low = 1 + random.nextInt(20);
      int target = low + random.nextInt(10);
      DemandWatermarks demand =
          new DemandWatermarks(low, target, target + random.nextInt(10), SECOND, Basis.GROWTH);
      int free = random.nextInt(48);
      int waiting = random.nextInt(4) == 0 ? random.nextInt(5) : 0;
      Step step = step(view(CidrKind.SECONDARY, 0, free), demand, waiting);
      int change =
          step instanceof Step.Grow grow
              ? ((Growth.OnEni) grow.growth()).count()
              : step instanceof Step.Return less ? -less.max() : 0;
      changes += change == 0 ? 0 : 1;
      assertThat(step(view(CidrKind.SECONDARY, 0, free + change), demand, waiting))
          .as("%s: %s of %s, %s wait", demand, step, free, waiting)
          .isEqualTo(new Step.Nothing());
      assertThat(free + change - waiting).isGreaterThanOrEqualTo(Math.min(low, 49 - waiting));
    }
    assertThat(changes).isGreaterThan(500);
  }

  @Test
  @DisplayName("Random pods and a slow cloud: nothing is asked for again that was given back")
  void random() {
    int givenBack = 0;
    for (long seed = 1; seed <= 40; seed++) {
      givenBack += run(seed);
    }
    assertThat(givenBack).as("releases").isGreaterThan(100);
  }

  /** An hour, the last ten minutes of it without new pods; how often something went back. */
  private static int run(long seed) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    int least = 1 + random.nextInt(4);
    TestLoop node =
        node(
            new DemandSettings(
                List.of(0.5, 0.9, 0.99, 0.999).get(random.nextInt(4)),
                least,
                least + random.nextInt(40)),
            random.nextInt(3) == 0 ? CidrKind.PREFIX : CidrKind.SECONDARY,
            4 + random.nextInt(20));
    Deque<String> pods = new ArrayDeque<>();
    int givenBack = 0;
    int seen = node.cloud.changes.size();
    int usedThen = -1; // when something went back, and no pod has come since
    Basis basisThen = Basis.GROWTH;
    for (int second = 0; second < 3_600; second++) {
      node.fatesFor = List.of("assign", "create", "unassign").get(random.nextInt(3));
      node.fates.clear();
      node.fates.add(EffectFate.answered(SECOND, Duration.ofMillis(random.nextInt(20_000))));
      if (random.nextInt(300) == 0) {
        node.refusals.add(Reason.UNAVAILABLE);
      }
      int burst = random.nextInt(120) == 0 ? random.nextInt(12) : random.nextInt(12) / 11;
      for (int pod = 0; pod < burst && second < 3_000 && pods.size() < 30; pod++) {
        String name = "pod-" + second + "-" + pod;
        if (node.add(name).startsWith("10.")) {
          pods.add(name);
        }
      }
      int ends = random.nextInt(300) == 0 ? pods.size() : random.nextInt(16) / 15;
      for (int pod = 0; pod < ends && !pods.isEmpty(); pod++) {
        node.del(pods.remove());
      }
      node.pass(SECOND);
      int used = used(node);
      usedThen = used > usedThen ? -1 : usedThen;
      for (String change : node.cloud.changes.subList(seen, node.cloud.changes.size())) {
        if (change.contains(" -")) {
          givenBack++;
          usedThen = used;
          basisThen = spare(node).basis();
        } else {
          assertThat(usedThen < 0 || spare(node).basis() != basisThen)
              .as("seed %s: asks again: %s", seed, node.cloud.changes)
              .isTrue();
        }
      }
      seen = node.cloud.changes.size();
    }
    assertThat(free(node) >= spare(node).low() || node.cloud.isFull())
        .as("seed %s has what it asks for: %s, %s", seed, free(node), spare(node))
        .isTrue();
    return givenBack;
  }

  private static int used(TestLoop node) {
    DatastoreStats stats = node.view().stats(IpFamily.IPV4);
    return stats.assigned() + stats.cooling() + node.store.observe().waiting();
  }
}
