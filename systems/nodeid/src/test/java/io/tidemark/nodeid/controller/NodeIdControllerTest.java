package io.tidemark.nodeid.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.InMemoryClaims.Request;
import io.tidemark.cluster.InMemoryClusterNodes;
import io.tidemark.cluster.NodeChange;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Metric;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.TestRanges;
import io.tidemark.nodeid.claim.ClaimName;
import io.tidemark.nodeid.claim.IdNotes;
import io.tidemark.nodeid.claim.NodeIdMirror;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A controller of node ids (node-id 19.2, 19.3)")
class NodeIdControllerTest {
  private static final Duration MOMENT = Duration.ofSeconds(10);
  private static final String[] MANY =
      IntStream.range(0, 64).mapToObj(i -> "n" + i).toArray(String[]::new);

  private final IdWorld world = new IdWorld();

  private void show(ClusterNode node, String id) {
    NodeChange end =
        world.nodes.client("person", world.time).annotate(node, Map.of(NodeIdMirror.ID, id));
    assertThat(end).isInstanceOf(NodeChange.Accepted.class);
  }

  private void begin(String... names) {
    Stream.of(names).forEach(world::node);
  }

  /** A node comes, and gets what it can get. */
  private ClusterNode join(String name) {
    ClusterNode node = world.node(name);
    world.pass(MOMENT);
    return node;
  }

  private List<String> podCidrs(String name) {
    return world.nodes.find(name).orElseThrow().podCidrs().texts();
  }

  @Test
  @DisplayName("NI-28 A node gets the claim of an id, then shows the id and its plan")
  void assigns() {
    NodeIdController controller = world.started();
    ClusterNode made = join("n1");
    assertThat(world.claims.all())
        .singleElement()
        .matches(claim -> claim.name().equals("node-id-1") && claim.isHeldBy("n1", made.uid()));
    assertThat(world.nodes.find("n1").orElseThrow().annotations())
        .containsEntry("tidemark.io/node-id", "1")
        .containsEntry(
            "tidemark.io/node-id-plan",
            "{\"id\":1,\"podSubnet\":\"10.1.1.0/24\",\"gateway\":\"10.1.1.1\","
                + "\"natLoopback\":\"10.1.1.254\",\"linkSubnet\":\"172.30.1.0/24\","
                + "\"linkSwitchEnd\":\"172.30.1.1\",\"linkHostEnd\":\"172.30.1.2\","
                + "\"nodeAddress\":\"192.168.16.1/24\",\"overlayAddress\":\"192.168.30.1/24\"}");
    assertThat(podCidrs("n1")).isEmpty();
    assertThat(controller.isSettled()).isTrue();
    assertThat(controller.nodes())
        .singleElement()
        .matches(report -> report.state() == IdNodeReport.State.ASSIGNED);
    assertThat(controller.report("n1").orElseThrow().id()).contains(NodeId.of(1));
    assertThat(controller.report("n1").orElseThrow().next()).isEmpty();
    assertThat(controller.report("n2")).isEmpty();
    assertThat(world.measured.value(Metric.NODE_ID_CLAIM_DURATION)).isEqualTo(1);
    assertThat(world.told).isEmpty();
  }

  @Test
  @DisplayName("NI-28 With allocate-node-cidrs the pod subnet is the pod CIDR of the node as well")
  void writesPodCidr() {
    world.writesPodCidr = true;
    world.started();
    join("n1");
    assertThat(podCidrs("n1")).containsExactly("10.1.1.0/24");
  }

  @Test
  @DisplayName("NI-28 A pod CIDR that contradicts the id is told and left")
  void otherPodCidr() {
    world.writesPodCidr = true;
    ClusterNode node = world.node("n1");
    world.nodes.assign("other", "n1", node.uid(), List.of(Cidr.parse("10.9.9.0/24")));
    world.started();
    assertThat(world.told)
        .containsExactly(
            "+ n1 TM-1502 node n1 has the pod CIDR 10.9.9.0/24, and its id 1 the pod subnet"
                + " 10.1.1.0/24");
    assertThat(podCidrs("n1")).containsExactly("10.9.9.0/24");
  }

  @Test
  @DisplayName("NI-26 64 nodes that come at once get the ids 1 to 64, with two writes each")
  void many() {
    AtomicInteger writes = new AtomicInteger();
    world.claimFaults =
        (request, name) -> {
          writes.addAndGet(request == Request.LIST || request == Request.GET ? 0 : 1);
          return Optional.empty();
        };
    world.started();
    begin(MANY);
    world.pass(MOMENT);
    assertThat(world.held().values()).hasSize(64).doesNotHaveDuplicates();
    assertThat(world.shown().values()).doesNotContain("-").doesNotHaveDuplicates();
    for (int id = 1; id <= 64; id++) {
      assertThat(world.held()).containsKey("node-id-" + id);
    }
    assertThat(writes).hasValue(64);
  }

  @Test
  @DisplayName("NI-28 Of many nodes the first shows its id before the last has a claim")
  void oneAfterTheOther() {
    world.started();
    begin(MANY);
    for (int i = 0; i < 100 && !world.shown().containsValue("1"); i++) {
      world.pass(Duration.ofMillis(1));
    }
    assertThat(world.shown()).containsValue("1");
    assertThat(world.held()).hasSizeLessThanOrEqualTo(IdWorld.PARALLEL_REQUESTS);
  }

  @Test
  @DisplayName("NI-30 Nodes that are there at the start get ids in the order of their creation")
  void oldestFirst() {
    List.of("n9", "n4", "n7", "n1").forEach(this::join);
    begin("n0", "m0");
    List<String> changed = Collections.synchronizedList(new ArrayList<>());
    NodeIdController controller = world.controller();
    controller.onChange(changed::add);
    controller.start(IdNotes.NONE);
    world.pass(MOMENT);
    assertThat(world.shown())
        .isEqualTo(Map.of("n9", "1", "n4", "2", "n7", "3", "n1", "4", "m0", "5", "n0", "6"));
    assertThat(changed).contains("n9", "n4", "n7", "n1", "m0", "n0");
    changed.clear();
    world.pass(MOMENT);
    assertThat(changed).isEmpty();
  }

  @Test
  @DisplayName("NI-29 NI-D2 Claims that are lost are made again before a new node gets an id")
  void lost() {
    begin("n1", "n2", "n3");
    world.started();
    Map<String, String> before = world.shown();
    world.claims.all().forEach(claim -> world.claims.remove(claim.name()));
    join("n4");
    assertThat(world.shown()).containsAllEntriesOf(before).containsEntry("n4", "4");
    assertThat(world.held()).hasSize(4);
    assertThat(world.measured.value(Metric.NODE_ID_REASSERTED)).isEqualTo(3);
    assertThat(world.told)
        .contains(
            "+ n1 TM-1503 the claim of id "
                + before.get("n1")
                + ", which node n1 shows, was lost and is made again",
            "- n1 TM-1503");
  }

  @Test
  @DisplayName("NI-29 NI-D2 Lost claims are made again at the start, before the first new id")
  void lostBeforeStart() {
    ClusterNode node = world.node("n1");
    show(node, "1");
    begin("n0");
    world.started();
    assertThat(world.held()).containsEntry("node-id-1", "n1").containsEntry("node-id-2", "n0");
  }

  @Test
  @DisplayName("NI-29 NI-D19 A node whose id another node has is told on both, and keeps it")
  void conflict() {
    begin("n1");
    world.started();
    ClusterNode other = world.node("n2");
    show(other, "1");
    world.pass(MOMENT);
    assertThat(world.told)
        .contains(
            "+ n2 TM-1502 node n2 shows id 1, which is claimed by node n1",
            "+ n1 TM-1502 node n1 holds id 1, which node n2 shows");
    assertThat(world.shown()).containsEntry("n1", "1").containsEntry("n2", "1");
    assertThat(world.held()).containsExactly(Map.entry("node-id-1", "n1"));
    assertThat(world.measured.value(Metric.NODE_ID_CONFLICTS)).isEqualTo(2);
    world.nodes.delete("n2");
    world.pass(MOMENT);
    assertThat(world.told).contains("- n1 TM-1502", "- n2 TM-1502");
    assertThat(world.measured.value(Metric.NODE_ID_CONFLICTS)).isZero();
  }

  @Test
  @DisplayName("NI-29 Of several claims of a node the one stays that it shows, the others cool")
  void several() {
    ClusterNode node = world.node("n1");
    world.claims.put("node-id-2", "n1", node.uid());
    world.claims.put("node-id-5", "n1", node.uid());
    show(node, "5");
    world.started();
    assertThat(world.held()).hasSize(2);
    assertThat(world.shown()).containsEntry("n1", "5");
    world.pass(IdWorld.COOLDOWN);
    assertThat(world.held()).containsExactly(Map.entry("node-id-5", "n1"));
  }

  @Test
  @DisplayName("NI-29 Of several claims of a node that shows none the lowest stays")
  void lowest() {
    ClusterNode node = world.node("n1");
    world.claims.put("node-id-5", "n1", node.uid());
    world.claims.put("node-id-3", "n1", node.uid());
    world.started();
    assertThat(world.shown()).containsEntry("n1", "3");
  }

  @Test
  @DisplayName(
      "NI-29 A node that comes back under its name keeps the id, the claim has its new uid")
  void sameName() {
    begin("n1");
    world.started();
    world.nodes.delete("n1");
    world.pass(MOMENT);
    ClusterNode again = join("n1");
    assertThat(world.claims.all())
        .singleElement()
        .matches(claim -> claim.name().equals("node-id-1") && claim.isHeldBy("n1", again.uid()));
    assertThat(world.shown()).containsEntry("n1", "1");
    world.pass(IdWorld.COOLDOWN.multipliedBy(3));
    assertThat(world.held()).hasSize(1);
  }

  @Test
  @DisplayName("NI-31 NI-D3 The id of a node that is gone passes on after the cooldown, not before")
  void releases() {
    world.ranges =
        TestRanges.of("10.1.0.0/16 24", "172.30.0.0/16 24", "192.168.16.0/30", "192.168.30.0/24");
    begin("n1", "n2");
    NodeIdController controller = world.started();
    String id = world.shown().get("n1");
    world.nodes.delete("n1");
    world.node("n3");
    world.pass(IdWorld.COOLDOWN.minus(MOMENT));
    assertThat(world.held()).hasSize(2).doesNotContainValue("n3");
    assertThat(world.told)
        .containsExactly(
            "+ n3 TM-1501 all 2 ids of interconnect 192.168.16.0/30 are in use, 1 of them cool");
    assertThat(world.measured.all(Metric.NODE_ID_IDS))
        .isEqualTo(Map.of("claimed", 1.0, "cooling", 1.0, "never", 0.0, "free", 0.0));
    world.pass(MOMENT.multipliedBy(2));
    assertThat(world.shown()).containsEntry("n3", id);
    assertThat(world.told).endsWith("- n3 TM-1501");
    assertThat(controller.isSettled()).isTrue();
  }

  @Test
  @DisplayName("NI-31 A node that is being deleted keeps its id, and gets none when it has none")
  void beingDeleted() {
    begin("n1");
    world.started();
    world.nodes.change("n1", ClusterNode::withBeingDeleted);
    world.nodes.create(ClusterNode.named("n2", "").withBeingDeleted());
    world.pass(IdWorld.COOLDOWN.multipliedBy(2));
    assertThat(world.held()).containsExactly(Map.entry("node-id-1", "n1"));
    assertThat(world.shown()).containsEntry("n2", "-");
  }

  @Test
  @DisplayName("NI-30 NI-D3 Ids that were never claimed come first, across a restart too")
  void order() {
    begin("n1", "n2");
    NodeIdController first = world.started();
    world.nodes.delete("n1");
    world.pass(IdWorld.COOLDOWN.plus(MOMENT));
    assertThat(world.held()).hasSize(1);
    IdNotes notes = IdNotes.read(first.notes());
    first.stop();
    world.pass(MOMENT);
    NodeIdController second = world.controller();
    assertThat(second.notes()).as("an earlier leader's notes stay until it has begun").isEmpty();
    second.start(notes);
    world.pass(MOMENT);
    join("n3");
    assertThat(world.shown()).containsEntry("n3", "3");
  }

  @Test
  @DisplayName("NI-30 NI-D16 An id that others claimed meanwhile is passed over, without a list")
  void exists() {
    AtomicInteger lists = new AtomicInteger();
    world.claimFaults =
        (request, name) -> {
          lists.addAndGet(request == Request.LIST ? 1 : 0);
          if (request == Request.CREATE && !world.held().containsKey(name)) {
            NodeId id = ClaimName.id(name).orElseThrow();
            if (id.number() <= 20) {
              world.claims.put(name, "agent-" + id, "u");
            }
          }
          return Optional.empty();
        };
    world.started();
    join("n1");
    assertThat(world.shown()).containsEntry("n1", "21");
    assertThat(lists).hasValue(1);
  }

  @Test
  @DisplayName(
      "NI-30 Claims and nodes that are back since the server was restored, of which no watch tells,"
          + " keep their ids")
  void restored() {
    world.started();
    for (int i = 1; i <= 3; i++) {
      ClusterNode back =
          world.nodes.restore(
              ClusterNode.named("back-" + i, "")
                  .withAnnotations(Map.of(NodeIdMirror.ID, String.valueOf(i))));
      world.claims.restore("node-id-" + i, back.name(), back.uid());
    }
    begin("n1", "n2");
    world.pass(IdWorld.COOLDOWN.multipliedBy(2));
    assertThat(world.shown().values()).containsExactlyInAnyOrder("1", "2", "3", "4", "5");
    assertThat(world.held())
        .containsAllEntriesOf(
            Map.of("node-id-1", "back-1", "node-id-2", "back-2", "node-id-3", "back-3"))
        .hasSize(5);
    assertThat(world.told).isEmpty();
  }

  @Test
  @DisplayName("NI-30 A creation without an answer is sent again, and its claim is found there")
  void unknown() {
    AtomicInteger creations = new AtomicInteger();
    world.network =
        (site, timeout) ->
            site.operation().equals("createClaim") && creations.getAndIncrement() == 0
                ? EffectFate.answerLost(Duration.ofMillis(10))
                : EffectFate.answered(Duration.ofMillis(10), Duration.ofMillis(10));
    world.started();
    world.node("n1");
    world.pass(MOMENT.multipliedBy(3));
    assertThat(world.held()).containsExactly(Map.entry("node-id-1", "n1"));
    assertThat(world.shown()).containsEntry("n1", "1");
  }

  @Test
  @DisplayName("NI-35 Who may not claim tells it on the node, and claims once it may")
  void forbidden() {
    boolean[] allowed = new boolean[1];
    world.claimFaults =
        (request, name) ->
            allowed[0] || request != Request.CREATE
                ? Optional.empty()
                : Optional.of(new ClaimChange.Refused("leases are forbidden"));
    NodeIdController controller = world.started();
    join("n1");
    assertThat(world.told).containsExactly("+ n1 TM-1509 leases are forbidden");
    assertThat(controller.isSettled()).isTrue();
    allowed[0] = true;
    world.pass(MOMENT.multipliedBy(3));
    assertThat(world.told).endsWith("- n1 TM-1509");
    assertThat(world.shown()).containsEntry("n1", "1");
  }

  @Test
  @DisplayName("NI-32 An id beyond the capacity that a node shows is told, and not replaced")
  void beyond() {
    show(world.node("n1"), "300");
    world.started();
    assertThat(world.told).hasSize(1);
    assertThat(world.told.get(0))
        .startsWith("+ n1 TM-1505 node n1 has id 300; the highest that interconnect");
    assertThat(world.held()).isEmpty();
  }

  @Test
  @DisplayName("NI-35 Claims that stand for no id, or name no node, are told and left")
  void oddClaims() {
    world.claims.put("node-id-x", "n9", "u");
    world.claims.put("node-id-1", "", "");
    begin("n1");
    NodeIdController controller = world.started();
    world.pass(IdWorld.COOLDOWN.multipliedBy(3));
    assertThat(controller.oddClaims())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("node-id-x", "its name is that of no id", "node-id-1", "it names no node"));
    assertThat(world.held())
        .containsKeys("node-id-x", "node-id-1")
        .containsEntry("node-id-2", "n1");
  }

  @Test
  @DisplayName("A node that changed meanwhile is read, and annotated in its present version")
  void changedMeanwhile() {
    AtomicInteger heartbeats = new AtomicInteger(3);
    world.nodeFaults =
        (request, name) -> {
          if (request == InMemoryClusterNodes.Request.ANNOTATE
              && heartbeats.getAndDecrement() > 0) {
            world.nodes.change(name, node -> node);
          }
          return Optional.empty();
        };
    world.started();
    join("n1");
    assertThat(world.shown()).containsEntry("n1", "1");
  }

  @Test
  @DisplayName("After the stop nothing begins; a second controller takes over")
  void stops() {
    NodeIdController first = world.started();
    List<String> unknown = first.stop().toCompletableFuture().join();
    assertThat(unknown).isEmpty();
    join("n1");
    assertThat(world.held()).isEmpty();
    assertThat(first.start(IdNotes.NONE).toCompletableFuture()).isCompletedWithValue(true);
    VirtualProcess process = world.time.process("second");
    NodeIdController second = world.controller(process);
    second.standBy();
    world.pass(MOMENT);
    assertThat(world.held()).isEmpty();
    second.start(IdNotes.read(first.notes()));
    world.pass(MOMENT);
    assertThat(world.held()).hasSize(1);
  }
}
