package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Blocks on offer that a multi-pool agent does not take up")
class UntakenOfferTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String HELD = "10.0.0.16/28";
  private static final String LEFT = "10.0.0.32/28";

  private final NodeWorld world = NodeWorld.idle(EngineConfig.defaults());
  private final ScriptedNode node = world.provider.prepared("node1");

  private void begins(int requested, String... held) {
    node.attach(AddressSet.of(), List.of(Cidr.parse(HELD), Cidr.parse(LEFT)));
    world.create(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(8)
            .requested(requested, 0)
            .allocated(held)
            .build());
    world.start();
    world.run(SECOND);
  }

  private void agentSays(int requested, String... held) {
    world.agentHolds("node1", 8, 0, requested, held);
    world.run(SECOND);
  }

  @Test
  @DisplayName("A79 is reported after a minute, with the blocks, and until it takes them up")
  void reported() {
    begins(24, HELD);
    world.run(Duration.ofSeconds(55));
    assertThat(world.report("node1").blocked()).isEmpty();
    world.run(Duration.ofSeconds(10));
    Blocked why = world.report("node1").blocked().orElseThrow();
    assertThat(why.reason()).isEqualTo(BlockedReason.OFFER_NOT_TAKEN);
    assertThat(why.detail()).endsWith("leaves out 16 that are on offer: " + LEFT);
    assertThat(world.report("node1").state()).isEqualTo(NodeState.OK);
    assertThat(world.told).hasSize(1);
    assertThat(world.metrics.value(Metric.OFFERED_NOT_TAKEN_IPS, "node1")).isEqualTo(16);
    assertThat(world.explain("node1").numbers().get("on offer, not taken by the agent"))
        .startsWith("16 for 6")
        .endsWith(" s: " + LEFT);

    agentSays(24, HELD, LEFT);
    assertThat(world.report("node1").blocked()).isEmpty();
    assertThat(world.told).hasSize(2);
    assertThat(world.metrics.all(Metric.OFFERED_NOT_TAKEN_IPS)).isEmpty();
  }

  @DisplayName(
      "A79 what an agent leaves alone is no fault before a minute, and while it has enough")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A79 no fault while the agent has as many addresses as it wants \
            | attached BC; create p=1 d=16 h=B; start; 1s; 5m; why none; told
          A79 begins anew when the agent had all that it wants in between \
            | attached BC; create p=1 d=17 h=B; start; 1s; 40s; holds 16 B; 1s; holds 17 B; 1s; \
              40s; why none; 30s; why OFFER_NOT_TAKEN
          """)
  void story(String what, String story) {
    NodeStory.run(world, what, story);
  }
}
