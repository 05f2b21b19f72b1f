package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a person is told of a node, refusals of its resource too (node-manager 6)")
class ObjectEventsTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final NodeWorld world = settled();

  private static NodeWorld settled() {
    NodeWorld world = NodeWorld.filled();
    assertEquals(List.of(), world.told);
    return world;
  }

  @DisplayName("what is told of a node, and what ends it")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a refusal is told once, however often it is met, and cleared when it is mended \
            | refuse CONFIGURATION; use 2; 1s; told CLOUD_REFUSED; refuse CONFIGURATION; 5m; \
              state BLOCKED; told CLOUD_REFUSED; 6m; state OK; \
              told CLOUD_REFUSED, CLOUD_REFUSED cleared; refuse CONFIGURATION; use 4; 1s; \
              told CLOUD_REFUSED, CLOUD_REFUSED cleared, CLOUD_REFUSED
          a failure that passes by itself is told nobody \
            | refuse TRANSIENT; use 1; 10s; told
          a node that goes takes what is open of it along \
            | refuse CONFIGURATION; use 2; 1s; delete; 1s; \
              told CLOUD_REFUSED, CLOUD_REFUSED cleared
          NM-S5 what the home refuses is told, left in peace, and written once it is mended \
            | answers UPDATE refused; use 3; 1s; stands BLOCKED INVALID_RESOURCE true; \
              because too long; requests UPDATE_STATUS UPDATE UPDATE; 10m; sent 1-40 UPDATE; \
              told INVALID_RESOURCE; usual; use 4; 1s; pool 12; state OK; \
              told INVALID_RESOURCE, INVALID_RESOURCE cleared
          a refusal that ends by itself, as of a rule that was wrong, is noticed in a minute \
            | answers UPDATE_STATUS refused; use 3; 1s; sent 1-3 UPDATE_STATUS; usual; 1m; \
              pool 11; state OK
          a refusal stands while the home is away: it is not told as mended and then anew \
            | answers UPDATE refused; use 3; 1s; answers UPDATE failed; 5m; state BLOCKED; \
              answers UPDATE refused; 5m; told INVALID_RESOURCE
          """)
  void story(String what, String story) {
    NodeStory.run(world, what, story);
  }

  @Test
  @DisplayName("An object that cannot be read is told once, of unknown nodes too")
  void unreadable() {
    List<ResourceProblem> problems =
        List.of(new ResourceProblem("nodes.yaml:3", "spec.ipam", "is no map", "Correct it."));
    world.manager.refused("node2", problems);
    world.manager.refused("node2", problems);
    assertEquals(List.of("node2 INVALID_RESOURCE"), world.told);
    world.create("node2", 8, 0);
    world.run(ONE_SECOND);
    assertEquals(List.of("node2 INVALID_RESOURCE", "node2 INVALID_RESOURCE cleared"), world.told);
  }

  @Test
  @DisplayName("What passes by itself, and what agents write while they start, is for no person")
  void reasons() {
    Set<BlockedReason> forNobody =
        Arrays.stream(BlockedReason.values())
            .filter(reason -> !ReportedConditions.isForPerson(reason))
            .collect(Collectors.toSet());
    assertEquals(
        Set.of(
            BlockedReason.NO_INSTANCE_ID,
            BlockedReason.INSTANCE_MISSING,
            BlockedReason.INSTANCE_NOT_RUNNING,
            BlockedReason.INSTANCES_API_UNSTABLE,
            BlockedReason.INSTANCES_ELSEWHERE,
            BlockedReason.BACKING_OFF,
            BlockedReason.READING_BACK),
        forNobody);
  }
}
