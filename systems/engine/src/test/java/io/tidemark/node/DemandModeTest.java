package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.ParsedResource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Spare addresses that follow demand")
class DemandModeTest {
  private static final Map<String, String> DEMAND =
      Map.of(
          "pre-allocate-mode", "demand",
          "release-excess-ips", "true",
          "excess-ip-release-delay", "1m");

  @DisplayName("D-24 A node has what its pods, and those of nodes like it, needed before")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          before the first pod the static number holds, also as the start of the agent \
            | create p=5; start; 1s; is 5/0
          a few single pods do not prove that fewer are enough \
            | create p=8; start; 1s; use 1; 20m; use 2; 20m; use 3; 20m; is 11/3
          with four at once the spare grows \
            | create p=1; start; 1s; use 1; 20m; use 2; 20m; use 3; 20m; use 7; 20m; is 11/7
          bursts of ten: twelve, the bound of their class \
            | create p=1; start; 1s; use 1; 20m; use 11; 20m; use 21; 20m; is 33/21
          pods that wait count before any has an address \
            | create p=1; start; 1s; use 1; 20m; unaddressed 2 11; 20m; is 13/1
          pods that got an address arrive once, whether the pod or the agent shows it first \
            | create p=1; start; 1s; use 1; 20m; unaddressed 2 11; 5s; unaddressed 1 0; 5s; use 11; 20m; \
              unaddressed 12 21; 5s; use 21; 60s; unaddressed 1 0; 20m; is 33/21
          a node that takes no new pods keeps what pods hold \
            | create p=1; start; 1s; use 1; 20m; use 11; 20m; close; pending 0; use 22; 1s; is 23/22
          a multi-pool agent asks for its spare addresses itself \
            | create p=8 d=20; start; 1s; is 20/12; becomes p=8 d=32; 1s; is 32/24
          pods of one node change what others keep, at the next look \
            | create p=1; start; 1s; @other create p=1; 1s; use 1; 20m; use 11; 20m; use 21; 20m; @node1 is 12/0
          the longer addresses take, the more are ready \
            | create p=1; start; 1s; use 1; 20m; callHangs; use 2; 20s; callEnds; 1s; \
              tells 1 cover 99.9 % of pods in the 37 s until
          where the next address needs an interface, its time counts \
            | create p=1; start; 1s; use 1; 20m; room 0; refresh; touch; 1s; tells in the 25 s until
          addresses that replace others can wait, which says nothing of those that pods need \
            | create p=1; start; 1s; use 1; 20m; callHangs; drain; 20s; callEnds; 1s; \
              tells in the 15 s until
          the time in which the cloud is not trusted is none of a request \
            | create p=1; start; 1s; use 1; 20m; refuse THROTTLED; use 2; 100ms; forbid; 20m; allow; 1m; \
              tells in the 15 s until
          blocks have a time of their own \
            | create p=1; start; 1s; use 1; 20m; inBlocks; touch; 1s; tells in the 16 s until
          a node that takes no new pods does not follow demand \
            | create p=1; start; 1s; use 1; 20m; tells spare by demand; close; pending 0; touch; 1s; hides spare by demand
          """)
  void story(String what, String story) {
    NodeStory.run(NodeWorld.idle(EngineConfig.of(DEMAND)), what, story);
  }

  @Test
  @DisplayName("Quantile and bounds are those of the settings")
  void settings() {
    Map<String, String> changed = new HashMap<>(DEMAND);
    changed.put("demand-quantile", "0.5");
    changed.put("demand-spare-min", "3");
    changed.put("demand-spare-max", "10");
    NodeStory.run(
        NodeWorld.idle(EngineConfig.of(changed)),
        "bursts of ten",
        "create p=1; start; 1s; is 3/0; use 1; 20m; use 11; 20m; use 21; 20m; is 26/21");
  }

  @Test
  @DisplayName("D-25 A new node, or one on a new instance, has what others of its group first got")
  void newNodes() {
    NodeWorld world = NodeWorld.idle(EngineConfig.of(DEMAND));
    world.create(node("node1", "a", world.time.epochMillis()));
    NodeStory.run(world, "four", "start; 1s; use 1; 1m; use 2; 1m; use 3; 1m; use 4; 20m");
    world.create(node("late", "a", world.time.epochMillis()));
    world.create(node("stranger", "b", world.time.epochMillis()));
    world.create(node("veteran", "a", 0));
    world.create(node("empty", "a", 0));

    NodeStory.run(
        world,
        "others",
        "1s; @late tells 4 cover the first minutes; @stranger is 1/0; hides the first minutes;"
            + " @veteran hides the first minutes; use 1; 20m; hides the first minutes;"
            + " instance i-2; 1m; tells 3 cover the first minutes;"
            + " @empty hides the first minutes; instance i-3; 1m; tells 4 cover the first minutes");
  }

  private static NodeResource node(String name, String pool, long createdMillis) {
    return ((ParsedResource.Valid<NodeResource>)
            NodeResourceJson.parse(
                """
                {"apiVersion": "cilium.io/v2", "kind": "CiliumNode",
                 "metadata": {"name": "%1$s", "creationTimestamp": "%3$s",
                              "labels": {"karpenter.sh/nodepool": "%2$s"}},
                 "spec": {"instance-id": "i-%1$s", "ipam": {"pre-allocate": 1}}}
                """
                    .replace("%1$s", name)
                    .replace("%2$s", pool)
                    .replace("%3$s", Instant.ofEpochMilli(createdMillis).toString()),
                name))
        .resource();
  }

  @Test
  @DisplayName("The target is what a request fills up to; a closed node has none")
  void target() {
    NodeWorld world = NodeWorld.idle(EngineConfig.of(DEMAND));
    NodeStory.run(world, "bursts", "create p=1 w=2; start; 1s; use 1; 20m; use 11; 20m; is 25/11");
    assertEquals(Map.of("node1", 14.0), world.metrics.all(Metric.SPARE_TARGET));

    NodeStory.run(world, "closed", "close; pending 0; use 12; 1s");
    assertEquals(Map.of(), world.metrics.all(Metric.SPARE_TARGET));
  }

  @DisplayName(
      "Pods that lacked an address are counted once they have one, also with static numbers")
  @ParameterizedTest(name = "{0}={1}")
  @CsvSource({
    "pre-allocate-mode, demand",
    "pre-allocate-mode, static",
    "ipam-profile, reference",
  })
  void waits(String setting, String value) {
    NodeWorld world = NodeWorld.idle(EngineConfig.of(Map.of(setting, value)));
    NodeStory.run(
        world,
        "pods 5 to 8 come when all is in use, 8 ends without one, 9 finds one free",
        "create p=4; start; 1s; hold; use 4; unaddressed 5 8; 7s; unaddressed 6 8; 3s;"
            + "unaddressed 6 7; grant; 2s; use 7; 1m; unaddressed 9 9; 1s; use 9; 1s");

    assertEquals(3, world.metrics.value(Metric.ADDRESS_WAIT));
    assertEquals(Duration.ofSeconds(7 + 12 + 12), world.metrics.time(Metric.ADDRESS_WAIT));
  }

  @Test
  @DisplayName("Explanations say what keeps the addresses, and surplus is what half an hour leaves")
  void explained() {
    NodeWorld world = NodeWorld.idle(EngineConfig.of(DEMAND));
    NodeStory.run(world, "bursts", "create p=1; start; 1s; use 1; 20m; use 11; 20m; use 21; 20m");

    assertEquals(
        "12 cover 99.9 % of pods in the 15 s until more can be used; asks up to 12, releases above"
            + " 24",
        world.explain("node1").numbers().get("spare by demand"));
    assertEquals("12 (by demand)", world.explain("node1").numbers().get("pre-allocate"));
    assertEquals(0, world.report("node1").excess());
    NodeStory.run(world, "bursts end", "use 1; 1s");
    assertEquals(8, world.report("node1").excess());
  }
}
