package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("M4 what a full read reads")
class SweepPlanTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static List<SweepPlan.Candidate> candidates(int count, int interfaces, long readNanos) {
    List<SweepPlan.Candidate> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(
          new SweepPlan.Candidate(
              new InstanceId(String.format(Locale.ROOT, "i-%05d", i)), interfaces, readNanos));
    }
    return all;
  }

  @DisplayName("Everything at once while that is seven pages at most")
  @ParameterizedTest(name = "{0} x {1}, listed {2}: whole {3}")
  @CsvSource({
    "0, 0, 0, true",
    "0, 0, 90000, true",
    "100, 3, 0, true",
    "1000, 7, 0, true",
    "1001, 7, 0, false",
    "10, 3, 7000, true",
    "10, 3, 7001, false"
  })
  void whole(int count, int interfaces, int listed, boolean whole) {
    assertThat(
            SweepPlan.of(candidates(count, interfaces, 0), listed, MINUTE, MINUTE.toNanos())
                .whole())
        .isEqualTo(whole);
  }

  @Test
  @DisplayName("5,000 instances of 15 interfaces: 7.5 pages a minute, each read in time")
  void sharded() {
    Map<InstanceId, Long> read = new HashMap<>();
    Duration period = Duration.ofMinutes(5);
    long now = 0;
    long pages = 0;
    int rounds = 24;
    for (int i = 0; i < rounds; i++) {
      now += period.toNanos();
      List<SweepPlan.Candidate> all = new ArrayList<>();
      for (SweepPlan.Candidate each : candidates(5000, 15, 0)) {
        all.add(
            new SweepPlan.Candidate(
                each.id(), 15, read.getOrDefault(each.id(), now - Duration.ofDays(1).toNanos())));
      }
      for (List<InstanceId> shard : SweepPlan.of(all, 75_000, period, now).shards()) {
        assertThat(shard).hasSizeLessThanOrEqualTo(200);
        pages += (shard.size() * 15L + 999) / 1000;
        for (InstanceId id : shard) {
          read.put(id, now);
        }
      }
    }
    assertThat(read).hasSize(5000);
    assertThat(pages / (rounds * 5.0)).as("pages a minute").isLessThanOrEqualTo(8.0);
    long oldest = now - Collections.min(read.values());
    assertThat(Duration.ofNanos(oldest)).isLessThanOrEqualTo(Duration.ofMinutes(15));
  }

  @Test
  @DisplayName(
      "One round reads a page for each eight seconds that passed, empty instances included")
  void budget() {
    long now = Duration.ofHours(1).toNanos();
    for (int interfaces : new int[] {1, 0}) {
      SweepPlan plan = SweepPlan.of(candidates(9_000, interfaces, 0), 7_001, MINUTE, now);
      assertThat(plan.shards().stream().mapToInt(List::size).sum())
          .as("%s interfaces each, seven pages in a minute", interfaces)
          .isEqualTo(7 * SweepPlan.PAGE);
    }
    assertThat(SweepPlan.of(candidates(9_000, 1, 0), 0, Duration.ofSeconds(1), now).shards())
        .as("a whole page, however little time has passed")
        .hasSize(SweepPlan.PAGE / 200);
  }

  @Test
  @DisplayName("What was read lately waits; of the others the longest unread goes first")
  void oldestFirst() {
    long now = Duration.ofHours(1).toNanos();
    List<SweepPlan.Candidate> all = new ArrayList<>(candidates(600, 15, now - 1));
    all.set(7, new SweepPlan.Candidate(all.get(7).id(), 15, 0));
    all.set(3, new SweepPlan.Candidate(all.get(3).id(), 15, MINUTE.toNanos()));
    assertThat(SweepPlan.of(all, 0, MINUTE, now).shards())
        .containsExactly(List.of(all.get(3).id(), all.get(7).id()));
    assertThat(SweepPlan.of(all.subList(8, 600), 9000, Duration.ofSeconds(1), now).shards())
        .as("never nothing")
        .hasSize(1);
  }

  /** A VPC with so many interfaces of others that a listing of everything takes many pages. */
  static Ec2Api crowded(Ec2Api ec2) {
    return EditedEc2.reads(
        ec2,
        (query, all) -> {
          if (query.values().containsKey("vpc-id")) {
            AwsNetworkInterface other =
                all.stream().filter(each -> each.attachment().isEmpty()).findFirst().orElseThrow();
            all.addAll(Collections.nCopies(7_001, other));
          }
          return all;
        });
  }

  @Test
  @DisplayName("In a crowded VPC only our instances are read, all of them, and what is left over")
  void crowded() {
    List<Ec2Filter> queries = new ArrayList<>();
    EniWorld world =
        new EniWorld(
            Samples.SETTINGS,
            ec2 ->
                EditedEc2.reads(
                    crowded(ec2),
                    (query, all) -> {
                      queries.add(query);
                      return all;
                    }));
    String home = world.home();
    world.ec2.parked(home, "somebody's", Map.of());
    List<NodeOperations> nodes = new ArrayList<>();
    Set<InstanceId> ids = new java.util.TreeSet<>();
    for (String name : List.of("node1", "node2", "node3")) {
      nodes.add(world.node(name));
      ids.add(new InstanceId(world.instance(name)));
    }
    Object first = world.resync();
    assertThat(first).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(queries).anyMatch(each -> each.values().containsKey("vpc-id"));
    queries.clear();
    world.ec2.single(world.instance("node2"), 0);
    String litter =
        world.leftOver(
            Map.of(
                OwnerTags.REFERENCE_CLUSTER,
                EniWorld.CLUSTER,
                OwnerTags.REFERENCE_MANAGED,
                "true"));
    world.run(MINUTE);
    long covered = EniWorld.known(nodes.get(1)).generation();
    Object second = world.resync();
    assertThat(second)
        .isInstanceOfSatisfying(
            SyncOutcome.Synced.class,
            synced -> assertThat(synced.startedGeneration()).isGreaterThan(covered));
    assertThat(queries)
        .hasSize(2)
        .contains(Ec2Filter.ofInstances("attachment.instance-id", ids))
        .anyMatch(each -> each.values().containsKey("status"));
    assertThat(EniWorld.known(nodes.get(1)).interfaces().get(0).singles().size()).isEqualTo(1);
    for (int minute = 0; minute < 7; minute++) {
      world.run(MINUTE);
      second = world.resync();
    }
    world.run(MINUTE);
    assertThat(world.ec2.exists(litter)).isFalse();
  }
}
