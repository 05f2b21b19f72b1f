package io.tidemark.provider.aws.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.provider.aws.simulation.CloudSetup.Trait;
import io.tidemark.resilience.CallKind;
import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.CrashPoint;
import io.tidemark.simulation.CrashPoint.Moment;
import io.tidemark.simulation.CrashStory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Crash points of the AWS provider")
@Tag("long")
class AwsCrashPointsTest {
  /** Two accounts and public addresses; prefixes; agents with CIDRs in dual-stack subnets. */
  enum Story {
    SINGLES(false, false),
    PREFIXES(true, false),
    CIDRS(false, true);

    private final boolean prefixes;
    private final boolean multiPool;

    Story(boolean prefixes, boolean multiPool) {
      this.prefixes = prefixes;
      this.multiPool = multiPool;
    }

    CloudSetup setup() {
      return CloudSetup.PLAIN
          .with(Trait.IPV6, multiPool)
          .with(Trait.TWO_ACCOUNTS, this == SINGLES)
          .with(Trait.STATIC_ADDRESSES, !prefixes);
    }

    ClusterSimulation simulation() {
      return simulation(setup());
    }

    ClusterSimulation simulation(CloudSetup other) {
      return new ClusterSimulation(
              CrashStory.scenario(
                  prefixes, multiPool, Duration.ofMinutes(40), Duration.ofSeconds(20)))
          .on(AwsSimulatedCloud.with(other.troubled(INDEX_TAKEN)));
    }
  }

  private static final String CREATION = "CreateNetworkInterface";

  private static final OwnFaults.Source INDEX_TAKEN =
      OwnFaults.between(
          OwnFaults.Kind.INDEX_TAKEN, Duration.ofSeconds(235), Duration.ofSeconds(260));

  /** The effects that the operator asks for, each in one story at least. */
  static final List<String> EFFECTS =
      List.of(
          CREATION,
          "AttachNetworkInterface",
          "ModifyNetworkInterfaceAttribute",
          "AssignPrivateIpAddresses",
          "UnassignPrivateIpAddresses",
          "DeleteNetworkInterface",
          "AssignIpv6Addresses",
          "AssociateAddress",
          "updateStatus",
          "update");

  /** Sent inside of a creation, so that nobody but the door of the networks' account sees it. */
  private static final String PERMISSION = "CreateNetworkInterfacePermission";

  /** Effects that no part of the provider asks for. */
  private static final List<String> UNUSED = List.of("DetachNetworkInterface", "CreateTags");

  private static final String PERMISSION_METHOD = "createNetworkInterfacePermission";

  @Test
  @DisplayName("of all effects, before, after, answer lost, leave nothing broken at rest (M17)")
  void everyPoint() {
    TreeSet<String> kinds = new TreeSet<>();
    int runs = 0;
    List<String> broken = new ArrayList<>();
    for (Story story : Story.values()) {
      ClusterSimulation.Watched calm = story.simulation().runWatched();
      assertThat(calm.report().violations()).as("%s without a crash", story).isEmpty();
      SortedMap<String, Integer> asked = calm.crashes().occurrences();
      for (String effect : EFFECTS) {
        for (int occurrence : CrashStory.chosen(asked.getOrDefault(effect, 0))) {
          for (Moment moment : CrashPoint.AROUND_EFFECT) {
            CrashPoint point = new CrashPoint(effect, occurrence, moment);
            ClusterSimulation.Watched run = story.simulation().hitting(point).runWatched();
            runs++;
            kinds.add(effect + " " + moment);
            assertThat(run.crashes().hasStruck()).as("%s: %s is reached", story, point).isTrue();
            run.report()
                .violations()
                .forEach(each -> broken.add(story + ", " + point + ": " + each));
          }
        }
      }
    }
    System.out.println("AWS: " + kinds.size() + " kinds of crash points in " + runs + " runs");
    assertThat(broken).isEmpty();
    assertThat(kinds).hasSize(3 * EFFECTS.size());
  }

  @Test
  @DisplayName("cover all 13 effects but those that the provider never asks for (M17)")
  void everyOperation() {
    TreeSet<String> changing = new TreeSet<>(List.of("updateStatus", "update"));
    for (Ec2Operation each : Ec2Operation.values()) {
      if (each.kind().effect() != CallKind.Effect.READ) {
        changing.add(each.action());
      }
    }
    TreeSet<String> listed = new TreeSet<>(EFFECTS);
    listed.addAll(UNUSED);
    listed.add(PERMISSION);
    assertThat(changing).hasSize(13);
    assertThat(listed).isEqualTo(changing);
    for (Story story : Story.values()) {
      assertThat(story.simulation().runWatched().crashes().occurrences().keySet())
          .doesNotContainAnyElementsOf(UNUSED);
    }
  }

  @Test
  @DisplayName("between a creation and its permission, and after it, leave nothing broken (M17)")
  void permission() {
    List<Integer> creations = new ArrayList<>();
    Object calm =
        Story.SINGLES
            .simulation(Story.SINGLES.setup().behind(network -> counting(network, creations)))
            .runWatched();
    assertThat(calm).isNotNull();
    List<String> broken = new ArrayList<>();
    for (Moment moment : CrashPoint.AROUND_EFFECT) {
      int hits = 0;
      for (int occurrence : CrashStory.chosen(creations.size())) {
        AtomicBoolean hit = new AtomicBoolean();
        ClusterSimulation simulation =
            Story.SINGLES.simulation(
                Story.SINGLES
                    .setup()
                    .behind(network -> permissionFails(network, moment, occurrence, hit)));
        if (moment != Moment.ANSWER_LOST) {
          int creation = creations.get(occurrence - 1);
          simulation.hitting(new CrashPoint(CREATION, creation, Moment.AFTER));
        }
        simulation
            .runWatched()
            .report()
            .violations()
            .forEach(each -> broken.add(PERMISSION + " #" + occurrence + moment + ": " + each));
        hits += hit.get() ? 1 : 0;
      }
      // Of creations on their way at once another one may be the last.
      assertThat(hits).as("%s", moment).isPositive();
    }
    assertThat(broken).isEmpty();
  }

  /** Notes for each permission how many creations were asked for until then. */
  private static Ec2Api counting(Ec2Api genuine, List<Integer> creations) {
    int[] asked = new int[1];
    return EditedEc2.over(
        genuine,
        (method, arguments, answer) -> {
          if (method.equals("createNetworkInterface")) {
            asked[0]++;
          } else if (method.equals(PERMISSION_METHOD)) {
            creations.add(asked[0]);
          }
          return answer.call();
        });
  }

  /** Whoever creates never hears of its {@code occurrence}th permission. */
  private static Ec2Api permissionFails(
      Ec2Api genuine, Moment moment, int occurrence, AtomicBoolean hit) {
    int[] asked = new int[1];
    return EditedEc2.over(
        genuine,
        (method, arguments, answer) -> {
          if (!method.equals(PERMISSION_METHOD) || ++asked[0] != occurrence) {
            return answer.call();
          }
          hit.set(true);
          if (moment != Moment.BEFORE) {
            answer.call();
          }
          if (moment == Moment.ANSWER_LOST) {
            throw Ec2Failure.unanswered(Ec2Failure.Ending.ANSWER_LOST, "lost", null);
          }
          throw new IllegalStateException("the process is gone");
        });
  }
}
