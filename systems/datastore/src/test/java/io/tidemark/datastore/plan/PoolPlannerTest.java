package io.tidemark.datastore.plan;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.plan.PoolPlan.Growth;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Plans")
class PoolPlannerTest {
  private static final int ALL = Integer.MAX_VALUE;

  private static WarmTargets targets(String text) {
    return Views.targets(text, 0, 1);
  }

  private static PlannedCard card(
      CidrKind mode, String targets, int slots, int enis, Profile profile) {
    return new PlannedCard(mode, targets(targets), PoolLimits.of(slots, enis), profile);
  }

  @ParameterizedTest(name = "{0} {1} {4}, {5} pods: {6}, {7} free")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D87 | SECONDARY | 3  | 3  | ENI 1       | 0  | [3]          | 3
          D87 | SECONDARY | 3  | 3  | ENI 1       | 5  | [3, 3, 3]    | 4
          D87 | SECONDARY | 3  | 3  | ENI 1       | 9  | [3, 3, 3]    | 0
          D87 | SECONDARY | 3  | 3  | IP 1 MIN 1  | 0  | [1]          | 1
          D87 | SECONDARY | 3  | 3  | IP 1 MIN 1  | 5  | [3, 3]       | 1
          D87 | SECONDARY | 3  | 3  | IP 1 MIN 1  | 9  | [3, 3, 3]    | 0
          D87 | SECONDARY | 3  | 3  | IP 2 MIN 5  | 0  | [3, 2]       | 5
          D87 | SECONDARY | 3  | 3  | IP 2 MIN 5  | 5  | [3, 3, 1]    | 2
          D87 | SECONDARY | 3  | 3  | IP 2 MIN 5  | 9  | [3, 3, 3]    | 0
          D88 | SECONDARY | 49 | 15 | ENI 1       | 0  | [49]         | 49
          D88 | SECONDARY | 49 | 15 | ENI 1       | 3  | [49, 49]     | 95
          D88 | SECONDARY | 49 | 15 | ENI 1       | 95 | [49, 49, 49] | 52
          D88 | SECONDARY | 49 | 15 | IP 5 MIN 10 | 0  | [10]         | 10
          D88 | SECONDARY | 49 | 15 | IP 5 MIN 10 | 7  | [12]         | 5
          D88 | SECONDARY | 49 | 15 | IP 5 MIN 10 | 15 | [20]         | 5
          D88 | SECONDARY | 49 | 15 | IP 5 MIN 10 | 45 | [49, 1]      | 5
          D89 | PREFIX    | 3  | 3  | PREFIX 1    | 0  | [1]          | 16
          D89 | PREFIX    | 3  | 3  | PREFIX 1    | 5  | [2]          | 27
          D89 | PREFIX    | 3  | 3  | PREFIX 1    | 16 | [2]          | 16
          D89 | PREFIX    | 3  | 3  | PREFIX 1    | 17 | [3]          | 31
          D89 | PREFIX    | 3  | 3  | PREFIX 1    | 58 | [3, 2]       | 22
          D89 | PREFIX    | 3  | 3  | IP 1 MIN 1  | 0  | [1]          | 16
          D89 | PREFIX    | 3  | 3  | IP 1 MIN 1  | 5  | [1]          | 11
          D89 | PREFIX    | 3  | 3  | IP 1 MIN 1  | 17 | [2]          | 15
          D89 | PREFIX    | 3  | 3  | IP 1 MIN 1  | 58 | [3, 1]       | 6
          D89 | PREFIX    | 3  | 3  | IP 7 MIN 20 | 0  | [2]          | 32
          D89 | PREFIX    | 3  | 3  | IP 7 MIN 20 | 5  | [2]          | 27
          D89 | PREFIX    | 3  | 3  | IP 7 MIN 20 | 17 | [2]          | 15
          D89 | PREFIX    | 3  | 3  | IP 7 MIN 20 | 58 | [3, 2]       | 22
          D90 | PREFIX    | 49 | 15 | PREFIX 1    | 0  | [1]          | 16
          D90 | PREFIX    | 49 | 15 | PREFIX 1    | 3  | [2]          | 29
          D90 | PREFIX    | 49 | 15 | PREFIX 1    | 95 | [7]          | 17
          D90 | PREFIX    | 49 | 15 | IP 5 MIN 10 | 0  | [1]          | 16
          D90 | PREFIX    | 49 | 15 | IP 5 MIN 10 | 7  | [1]          | 9
          D90 | PREFIX    | 49 | 15 | IP 5 MIN 10 | 11 | [1]          | 5
          D90 | PREFIX    | 49 | 15 | IP 5 MIN 10 | 12 | [2]          | 20
          D90 | PREFIX    | 49 | 15 | IP 5 MIN 10 | 15 | [2]          | 17
          D90 | PREFIX    | 49 | 15 | IP 5 MIN 10 | 45 | [4]          | 19
          """)
  void instances(
      String behaviour,
      CidrKind mode,
      int slots,
      int enis,
      String targets,
      int pods,
      String blocks,
      long free) {
    for (Profile profile : Profile.values()) {
      PlannedCard card = card(mode, targets, slots, enis, profile);
      card.addPods(pods);
      assertThat(card.blocks()).as("%s %s", behaviour, profile).hasToString(blocks);
      assertThat(card.free()).as("%s %s", behaviour, profile).isEqualTo(free);
    }
  }

  /** Blocks on the primary interface, the first of which have pods. */
  private static PoolPlan plan(
      CidrKind mode,
      String targets,
      int slots,
      int maxPods,
      int blocks,
      int pods,
      Profile profile) {
    int per = mode == CidrKind.PREFIX ? 16 : 1;
    int[] podsOfBlocks = new int[blocks];
    for (int i = 0, left = pods; i < blocks; i++) {
      podsOfBlocks[i] = Math.min(per, left);
      left -= podsOfBlocks[i];
    }
    PoolLimits limits = new PoolLimits(slots, 4, 0, 0, maxPods);
    return new PlannedCard(mode, targets(targets), limits, profile).with(0, podsOfBlocks).plan();
  }

  @ParameterizedTest(name = "D91 {0} {1}, {2} with {3} pods: short {4}, over {5} or ours {6}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SECONDARY | IP 5        | 0 | 0  | 5 | 0 | 0
          SECONDARY | IP 5        | 2 | 0  | 3 | 0 | 0
          SECONDARY | IP 5        | 5 | 0  | 0 | 0 | 0
          SECONDARY | IP 1        | 4 | 2  | 0 | 1 | 0
          SECONDARY | IP 1        | 6 | 2  | 0 | 3 | 2
          PREFIX    | IP 5        | 0 | 0  | 1 | 0 | 0
          PREFIX    | IP 5        | 2 | 0  | 0 | 1 | 0
          PREFIX    | IP 5        | 1 | 0  | 0 | 0 | 0
          PREFIX    | IP 16       | 2 | 1  | 0 | 0 | 0
          PREFIX    | PREFIX 1    | 4 | 1  | 0 | 2 | 1
          PREFIX    | PREFIX 3    | 2 | 1  | 2 | 0 | 0
          SECONDARY | ENI 1       | 9 | 0  | 0 | 0 | 0
          """)
  void numbers(
      CidrKind mode, String targets, int blocks, int pods, int shortBy, int over, int ours) {
    PoolPlan upstream = plan(mode, targets, 14, ALL, blocks, pods, Profile.UPSTREAM);
    PoolPlan tidemark = plan(mode, targets, 14, ALL, blocks, pods, Profile.TIDEMARK);
    assertThat(upstream.shortBy()).isEqualTo(shortBy);
    assertThat(tidemark.shortBy()).isEqualTo(shortBy);
    assertThat(upstream.overBy()).isEqualTo(over);
    assertThat(tidemark.overBy()).isEqualTo(ours);
  }

  @ParameterizedTest(name = "D92 {0} {1}, {3} blocks with {4} pods, at most {5}: low {6}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SECONDARY | ENI 1      | 14 | 0 | 0 | 99 | true
          SECONDARY | ENI 0      | 14 | 0 | 0 | 99 | true
          SECONDARY | ENI 0 IP 3 | 14 | 0 | 0 | 99 | true
          SECONDARY | IP 1       | 3  | 3 | 0 | 99 | false
          SECONDARY | ENI 1      | 3  | 3 | 1 | 99 | true
          SECONDARY | ENI 0      | 3  | 3 | 1 | 99 | false
          SECONDARY | ENI 1      | 3  | 3 | 3 | 99 | true
          SECONDARY | ENI 0      | 3  | 3 | 3 | 99 | true
          SECONDARY | IP 5       | 3  | 3 | 3 | 3  | false
          PREFIX    | PREFIX 1   | 3  | 0 | 0 | 99 | true
          PREFIX    | PREFIX 0   | 3  | 0 | 0 | 99 | true
          PREFIX    | PREFIX 1   | 3  | 1 | 0 | 99 | false
          PREFIX    | PREFIX 1   | 3  | 1 | 1 | 99 | true
          PREFIX    | PREFIX 0   | 3  | 1 | 1 | 99 | false
          PREFIX    | PREFIX 1   | 3  | 1 | 3 | 99 | true
          PREFIX    | PREFIX 0   | 3  | 1 | 3 | 99 | false
          PREFIX    | PREFIX 1   | 3  | 1 | 3 | 4  | false
          """)
  void low(
      CidrKind mode, String targets, int slots, int blocks, int pods, int maxPods, boolean low) {
    for (Profile profile : Profile.values()) {
      assertThat(plan(mode, targets, slots, maxPods, blocks, pods, profile).isLow())
          .as("%s", profile)
          .isEqualTo(low);
    }
  }

  @Test
  @DisplayName("D93 Negative targets are refused where they are given as numbers")
  void refused() {
    assertThatThrownBy(() -> new WarmTargets(OptionalInt.of(-1), OptionalInt.empty(), 0, 0))
        .hasMessage("warm-ip-target is -1; expected 0 or more");
  }

  @ParameterizedTest(name = "D94 {0} frees exactly what is over, and a second time nothing")
  @EnumSource(Profile.class)
  void shrinks(Profile profile) {
    PlannedCard card =
        card(CidrKind.SECONDARY, "IP 1", 10, 3, profile).with(0, 1, 1, 0, 0, 0).with(1, 0, 0);
    int over = profile == Profile.UPSTREAM ? 4 : 3;
    assertThat(card.plan().overBy()).isEqualTo(over);
    int before = card.total();
    assertThat(card.settle(5)).isTrue();
    assertThat(card.plan().isLow()).isFalse();
    assertThat(card.total()).isEqualTo(before - over);
    assertThat(card.plan().overBy()).isZero();
  }

  @Test
  @DisplayName("D95 Another network card has one address in reserve, of prefixes too")
  void otherCards() {
    for (CidrKind mode : CidrKind.values()) {
      for (Profile profile : Profile.values()) {
        PlannedCard card =
            new PlannedCard(mode, WarmTargets.OF_OTHER_CARDS, PoolLimits.of(3, 2), profile);
        assertThat(card.settle(10)).isTrue();
        assertThat(card.blocks()).containsExactly(1);
        assertThat(card.settle(100)).isTrue();
        assertThat(card.blocks()).containsExactly(1);
      }
    }
  }

  @ParameterizedTest(name = "D96 {0} of {1}, {2} unmanaged, {3} reserved, {4} excluded: {5}")
  @CsvSource({
    "3, 4, 0, 0, 0, true",
    "4, 4, 0, 0, 0, false",
    "3, 4, 1, 0, 0, false",
    "3, 4, 0, 1, 0, false",
    "2, 4, 1, 0, 0, true",
    "3, 4, 0, 0, 1, true",
    "4, 4, 0, 0, 1, false"
  })
  void room(int enis, int max, int unmanaged, int reserved, int excluded, boolean expected) {
    assertThat(new PoolLimits(10, max, unmanaged, reserved, ALL).hasRoom(enis, excluded))
        .isEqualTo(expected);
  }

  @Test
  @DisplayName("D96 A card without room says so, and an interface with room comes before a new one")
  void growth() {
    PlannedCard card = card(CidrKind.SECONDARY, "IP 2", 2, 2, Profile.TIDEMARK);
    assertThat(card.plan().growth()).isEqualTo(new Growth.OnEni("eni-0", 2));
    card.with(0, 1, 1);
    assertThat(card.plan().growth()).isEqualTo(new Growth.NewEni(2));
    card.with(1, 1);
    assertThat(card.plan().growth()).isEqualTo(new Growth.OnEni("eni-1", 1));
    card.with(1, 1);
    assertThat(card.plan().growth()).isEqualTo(new Growth.Exhausted());
  }

  @ParameterizedTest(name = "{0}: {1} with {2}: {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D63 Neither excluded interfaces nor trunks grow  | 0x= 1t= 2=0     | IP 9  | true
          D92 Beside an excluded primary none is too few   | 0x=             | ENI 2 | true
          D92 Beside it one is too few                     | 0x= 1=TEN       | ENI 2 | true
          D92 Beside it two others make two in reserve     | 0x= 1=TEN 2=TEN | ENI 2 | false
          """)
  void beside(String name, String enis, String targets, boolean low) {
    PoolView view =
        Views.of(CidrKind.SECONDARY, enis.replace("TEN", String.join(",", nCopies(10, "0"))));
    for (Profile profile : Profile.values()) {
      PoolPlan plan =
          PoolPlanner.plan(view, targets(targets), PoolLimits.of(10, 4), Pending.NONE, 0, profile);
      assertThat(plan.isLow()).as("%s", profile).isEqualTo(low);
      if (targets.equals("IP 9")) {
        assertThat(plan.growth()).as("%s", profile).isEqualTo(new Growth.OnEni("eni-2", 8));
      }
    }
  }

  @Test
  @DisplayName(
      "D103 With a minimum alone a node grows when a pod waits; the AWS VPC CNI never does")
  void minimumAlone() {
    for (Profile profile : Profile.values()) {
      PlannedCard card = card(CidrKind.SECONDARY, "MIN 22", 49, 4, profile);
      card.addPods(22);
      assertThat(card.total()).isEqualTo(22);
      assertThat(card.addPod()).isFalse();
      assertThat(card.plan().isLow()).isEqualTo(profile == Profile.TIDEMARK);
    }
  }

  @Test
  @DisplayName(
      "D104 DI11 When all that is not assigned cools a node grows at once; the AWS VPC CNI waits")
  void allCooling() {
    for (Profile profile : Profile.values()) {
      for (CidrKind mode : CidrKind.values()) {
        PlannedCard card = card(mode, "IP 1 PREFIX 1", 10, 4, profile).with(0, 1, 0, 0).cooling();
        assertThat(card.plan().isLow()).isEqualTo(profile == Profile.TIDEMARK);
      }
    }
  }

  @Test
  @DisplayName("An explicit 0 differs from a target that is not set: a node grows by demand alone")
  void explicitZero() {
    WarmTargets zero = new WarmTargets(OptionalInt.of(0), OptionalInt.empty(), 0, 1);
    PlannedCard card =
        new PlannedCard(CidrKind.SECONDARY, zero, PoolLimits.of(10, 4), Profile.TIDEMARK);
    assertThat(card.plan().isLow()).isFalse();
    assertThat(card.addPod()).isFalse();
    assertThat(card.plan().growth()).isEqualTo(new Growth.OnEni("eni-0", 1));
  }

  @Test
  @DisplayName("D105 DI12 With constant pods nothing changes after the first stable state")
  void stable() {
    for (CidrKind mode : CidrKind.values()) {
      for (int combination = 0; combination < 256; combination++) {
        WarmTargets targets =
            new WarmTargets(
                set(combination & 3),
                set((combination >> 2) & 3),
                (combination >> 4) & 3,
                (combination >> 6) & 3);
        for (int pods : new int[] {0, 1, 2, 3, 4, 7, 16, 17}) {
          PlannedCard card = new PlannedCard(mode, targets, PoolLimits.of(3, 8), Profile.TIDEMARK);
          card.addPods(pods);
          assertThat(card.settle(30)).as("%s %s %s pods settle", mode, targets, pods).isTrue();
          List<Integer> blocks = card.blocks();
          for (int round = 0; round < 100; round++) {
            assertThat(card.round()).as("%s %s %s pods", mode, targets, pods).isEmpty();
          }
          assertThat(card.blocks()).isEqualTo(blocks);
        }
      }
    }
  }

  @DisplayName(
      "D63 D105 Beside interfaces that are excluded or being removed a node comes to the same rest,"
          + " as far as it has room")
  @ParameterizedTest(name = "{0} {1}, excluded {2}, being removed {3}")
  @CsvSource({
    "SECONDARY, IP 2 MIN 5, 0, 1",
    "SECONDARY, IP 2 MIN 5, 1, 2",
    "SECONDARY, IP 1,       2, 0",
    "SECONDARY, ENI 1,      0, 2",
    "PREFIX,    PREFIX 1,   0, 1",
    "PREFIX,    IP 7,       1, 0",
  })
  void besideOthers(CidrKind mode, String targets, int excluded, int removed) {
    List<Profile> settling = // the AWS VPC CNI counts prefixes of excluded interfaces, and goes on
        mode == CidrKind.PREFIX ? List.of(Profile.TIDEMARK) : List.of(Profile.values());
    for (Profile profile : settling) {
      for (int pods = 0; pods <= 12; pods++) {
        PlannedCard alone = card(mode, targets, 3, 6, profile);
        alone.addPods(pods);
        PlannedCard card = card(mode, targets, 3, 8, profile).with(0);
        card.excluding(excluded).with(excluded, 0, 1);
        card.removing(removed).with(removed, 0, 1);
        card.addPods(pods);
        String as = profile + " with " + pods;
        assertThat(card.settle(50)).as("%s settles", as).isTrue();
        assertThat(card.plan().isLow()).as("%s is low", as).isEqualTo(alone.plan().isLow());
        assertThat(card.free()).as("%s has as many free", as).isGreaterThanOrEqualTo(alone.free());
        assertThat(card.has(removed)).as("%s: the removal is waited for", as).isTrue();
        assertThat(card.enis()).as("%s: interfaces", as).isLessThanOrEqualTo(8);
      }
    }
  }

  @DisplayName("D96 An interface that is being removed has its place until it is gone")
  @ParameterizedTest(name = "{0}")
  @EnumSource(Profile.class)
  void placeOfRemoved(Profile profile) {
    PlannedCard card =
        card(CidrKind.SECONDARY, "IP 4", 2, 2, profile).with(0, 1, 1).removing(1).with(1, 0, 0);
    assertThat(card.plan().growth()).isEqualTo(new Growth.Exhausted());
    PlannedCard excluding =
        card(CidrKind.SECONDARY, "IP 4", 2, 2, profile).with(0, 1, 1).excluding(1).with(1, 0, 0);
    assertThat(excluding.plan().growth()).isEqualTo(new Growth.Exhausted());
    assertThat(card.plan().overBy()).as("nothing of it is over").isZero();
    assertThat(excluding.plan().overBy()).isZero();
  }

  @Test
  @DisplayName("D63 Whole prefixes of an interface that pods cannot use are neither over nor warm")
  void prefixesOfOthers() {
    for (boolean removed : new boolean[] {false, true}) {
      PlannedCard card =
          card(CidrKind.PREFIX, "PREFIX 1", 9, 4, Profile.TIDEMARK).with(0, 16).with(1, 0, 0, 0);
      PoolPlan plan = (removed ? card.removing(1) : card.excluding(1)).plan();
      assertThat(plan.overBy()).as("being removed: %s", removed).isZero();
      assertThat(plan.shortBy()).as("being removed: %s", removed).isEqualTo(1);
      assertThat(plan.growth()).isEqualTo(new Growth.OnEni("eni-0", 1));
    }
  }

  private static OptionalInt set(int value) {
    return value == 3 ? OptionalInt.empty() : OptionalInt.of(value);
  }

  @Test
  @DisplayName("An IPv6 card has one prefix on its primary interface")
  void ipv6() {
    assertThat(ipv6("1=")).isEqualTo(new Growth.Exhausted());
    assertThat(ipv6("0=")).isEqualTo(new Growth.OnEni("eni-0", 1));
    assertThat(ipv6("0=v")).isEqualTo(new Growth.None());
    assertThat(ipv6("0= 1x=v")).isEqualTo(new Growth.OnEni("eni-0", 1));
  }

  private static Growth ipv6(String enis) {
    return PoolPlanner.planIpv6(Views.of(CidrKind.PREFIX, enis));
  }

  @ParameterizedTest(name = "D50 {0} by {1}: {2}")
  @CsvSource({"1, 1, 1", "3, 2, 2", "5, 2, 3", "10, 2, 5", "1, 10, 1", "0, 16, 0"})
  void ceilDiv(int number, int by, int expected) {
    assertThat(PoolNumbers.ceilDiv(number, by)).isEqualTo(expected);
  }
}
