package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Instances that nodes name, none of which exists")
class NamedInstancesTest {
  @DisplayName(
      "are distinguished from one that is gone; a count after each answer equals a count of all")
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void counted(long seed) {
    Random random = new Random(seed);
    NamedInstances instances = new NamedInstances();
    Map<InstanceId, Boolean> model = new HashMap<>();
    for (int i = 0; i < 2_000; i++) {
      InstanceId id = new InstanceId("i-" + random.nextInt(4));
      switch (random.nextInt(4)) {
        case 0 -> {
          instances.told(id, true);
          model.put(id, true);
        }
        case 1 -> {
          instances.forget(id);
          model.remove(id);
        }
        default -> {
          instances.told(id, false);
          model.put(id, false);
        }
      }
      boolean none = !model.isEmpty() && !model.containsValue(true);
      assertThat(instances.allElsewhere(model.size())).as("step %d", i).isEqualTo(none);
      assertThat(instances.isElsewhere(id))
          .as("step %d", i)
          .isEqualTo(none && model.containsKey(id));
      assertThat(instances.allElsewhere(model.size() + 1)).as("not asked for all").isFalse();
    }
  }

  // ---- with EC2 and the engine

  private final EniWorld world = new EniWorld();
  private final String home = world.home();

  private Blocked blocked(String name) {
    return world.report(name).blocked().orElseThrow();
  }

  @DisplayName("are distinct from those of nodes that have one")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          are not meant where EC2 knows one as ended: only its own region does \
            | launch; terminate; 2m; object; absent node2; engine; 3m; why INSTANCE_MISSING; \
              why INSTANCE_MISSING node2; elsewhere 0
          are not said to be elsewhere while one node's instance was not asked for \
            | launch; object; absent node2; engine; 2m; why -; why INSTANCE_MISSING node2; \
              elsewhere 0
          """)
  void story(String what, String story) {
    EniStory.run(new EniWorld(), what, story);
  }

  @Test
  @DisplayName("keep their nodes, which are told region and account; with one it is as ever")
  void elsewhere() {
    world.create(world.absent("node1"));
    world.create(world.absent("node2"));
    world.start(EngineConfig.defaults());
    for (int i = 0; i < 100; i++) { // from the first read on, whoever of the two comes first
      world.run(Duration.ofMillis(100));
      for (String name : List.of("node1", "node2")) {
        if (world.report(name).blocked().isPresent()) {
          assertThat(blocked(name).detail()).endsWith("region us-east-1 of account 111111111111");
        }
      }
    }

    assertThat(blocked("node1").reason()).isEqualTo(BlockedReason.INSTANCES_ELSEWHERE);
    assertThat(blocked("node1").detail())
        .isEqualTo(
            "neither i-0absentnode1 nor any other instance that the nodes name exists in region"
                + " us-east-1 of account 111111111111");
    assertThat(blocked("node2").reason()).isEqualTo(BlockedReason.INSTANCES_ELSEWHERE);
    assertThat(world.explain("node1").advice()).doesNotContainIgnoringCase("delete");
    assertThat(world.elsewhere).isPositive();
    assertThat(world.server.find("node1")).isPresent();

    world.launch("node3", "m5.large", home);
    world.create(world.resource("node3"));
    world.run(Duration.ofMinutes(3));
    assertThat(world.report("node3").blocked()).isEmpty();
    assertThat(blocked("node1").reason()).isEqualTo(BlockedReason.INSTANCE_MISSING);
    assertThat(blocked("node2").reason()).isEqualTo(BlockedReason.INSTANCE_MISSING);
  }

  @Test
  @DisplayName("are not elsewhere because a single read shows nothing")
  void unseenOnce() {
    boolean[] blind = {false};
    EniWorld there =
        new EniWorld(
            Samples.SETTINGS,
            ec2 ->
                EditedEc2.over(
                    ec2,
                    (request, arguments, genuine) ->
                        blind[0] ? new AwsPage<>(List.of(), Optional.empty()) : genuine.call()));
    NodeOperations node = there.node("node1");
    blind[0] = true;
    assertThat(there.sync("node1")).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(there.elsewhere).isZero();
    assertThat(EniWorld.known(node).interfaces()).hasSize(1);
  }
}
