package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What a full read covers, whole or in parts (provider-aws 4.2, M4)")
class FullSyncTest {
  private EniWorld world = new EniWorld();

  /** Three nodes, read a minute ago; in a crowded VPC the next full read is one of parts. */
  private List<NodeOperations> nodes(boolean crowded) {
    world = new EniWorld(Samples.SETTINGS, crowded ? SweepPlanTest::crowded : api -> api);
    world.ec2.parked(world.home(), "somebody's", Map.of());
    List<NodeOperations> all = Stream.of("node1", "node2", "node3").map(world::node).toList();
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
    world.run(Duration.ofMinutes(1));
    return all;
  }

  @DisplayName("It does not cover a write that was made while it was on its way")
  @ParameterizedTest(name = "in parts: {0}")
  @ValueSource(booleans = {false, true})
  void writeMeanwhile(boolean crowded) {
    NodeOperations node = nodes(crowded).get(0);
    world.fate(
        "DescribeNetworkInterfaces", EffectFate.answered(EniWorld.TRAVEL, Duration.ofSeconds(5)));
    CompletionStage<SyncOutcome> read = world.provider.resync(world.context());
    // In parts, what is attached to nothing is listed first.
    world.run(Duration.ofSeconds(crowded ? 6 : 1));
    assertThat(world.requests).endsWith("DescribeNetworkInterfaces");
    assertThat(world.allocate(node, 2)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(read.toCompletableFuture().isDone()).isFalse();
    long written = EniWorld.known(node).generation();
    assertThat(world.await(read))
        .isInstanceOfSatisfying(
            SyncOutcome.Synced.class,
            synced -> assertThat(synced.startedGeneration()).isLessThan(written));
  }

  @Test
  @DisplayName("A part covers no more than what was read of every instance")
  void partCovers() {
    List<NodeOperations> nodes = nodes(true);
    assertThat(world.resync()).isInstanceOf(SyncOutcome.Synced.class);
    for (NodeOperations each : nodes) {
      assertThat(world.allocate(each, 2)).isInstanceOf(AllocationOutcome.Allocated.class);
    }
    long oldest =
        nodes.stream().mapToLong(each -> EniWorld.known(each).generation()).min().orElseThrow();
    world.requests.clear();
    assertThat(world.resync())
        .as("the page has room for one instance so soon")
        .isInstanceOfSatisfying(
            SyncOutcome.Synced.class,
            synced -> assertThat(synced.startedGeneration()).isLessThan(oldest));
    assertThat(world.requests).contains("DescribeNetworkInterfaces");
  }

  @DisplayName("Without nodes, and without subnets")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Without nodes nothing is read, least of all every interface of the region \
            | resync Synced; quiet
          While the subnets cannot be read it fails, and interfaces are not listed \
            | refuse DescribeSubnets UnauthorizedOperation 403; launch; join; resync Failed; \
              never DescribeNetworkInterfaces; inventory !Known; serve; resync Synced
          """)
  void story(String what, String story) {
    EniStory.run(new EniWorld(), what, story);
  }
}
