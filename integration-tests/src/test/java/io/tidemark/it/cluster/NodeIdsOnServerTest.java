package io.tidemark.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.config.SharedKey.Profile;
import io.tidemark.ip.Cidr;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.kubernetes.store.LeaseClaimStore;
import io.tidemark.metrics.Meters;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdRanges;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.claim.ClaimName;
import io.tidemark.nodeid.claim.IdNotes;
import io.tidemark.nodeid.claim.NodeIdMirror;
import io.tidemark.nodeid.controller.NodeIdController;
import io.tidemark.nodeid.controller.NodeIdSettings;
import io.tidemark.nodeid.local.OwnNodeId;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import io.tidemark.time.WorkerPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("kubernetes")
@Tag("long")
@DisplayName("Node ids on a real API server (node-id 19.4 AM19)")
class NodeIdsOnServerTest {
  private static final String NAMESPACE = "tidemark-node-ids";
  private static final String NODES = "/api/v1/nodes";
  private static final int COUNT = 40;

  private final NodeIdSubnets subnets =
      new NodeIdSubnets(
          new NodeIdRanges(
              Cidr.parse("10.1.0.0/16"),
              24,
              Cidr.parse("172.30.0.0/16"),
              24,
              Optional.of(Cidr.parse("192.168.16.0/24")),
              Cidr.parse("192.168.30.0/24"),
              Cidr.parse("10.96.0.0/12"),
              List.of(),
              Profile.TIDEMARK));
  @RegisterExtension private static final ApiServer server = ApiServer.ofClass();

  private final List<AutoCloseable> open = new ArrayList<>();
  private ThreadTaskScheduler scheduler;
  private PooledEffectRunner effects;
  private WorkerPool workers;

  @BeforeEach
  void start() throws Exception {
    scheduler = ThreadTaskScheduler.start("node-ids", SystemTime.instance());
    effects = new PooledEffectRunner("node-ids", 16, 100_000, scheduler);
    workers = new WorkerPool("node-ids", 4, 100_000);
    server.createNamespace(NAMESPACE);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    effects.close();
    workers.close();
    scheduler.close();
  }

  private <C extends AutoCloseable> C closed(C resource) {
    open.add(resource);
    return resource;
  }

  private NodeIdController operator() throws Exception {
    ClusterConnection connection = server.connect(ApiServer.User.ADMIN);
    ClusterNodes nodes =
        closed(ClusterNodes.watch(connection, SystemTime.instance(), workers, changed -> {}));
    LeaseClaimStore claims = closed(LeaseClaimStore.watch(connection, NAMESPACE, workers));
    closed(connection);
    NodeIdController controller =
        new NodeIdController(
            new NodeIdSettings(subnets, Duration.ofMinutes(5), true, 8, Duration.ofSeconds(10)),
            new ControllerParts(
                nodes,
                ObjectEvents.NONE,
                Meters.none(),
                effects,
                workers,
                scheduler,
                () -> true,
                new Random(1)),
            claims);
    controller.start(IdNotes.NONE);
    return controller;
  }

  private void create(String name) {
    String node = "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\"}}";
    server.admin().client().raw(NODES, "POST", node.formatted(name));
  }

  /** The ids that the nodes show, by name; empty text for a node that shows nothing. */
  private Map<String, String> shown() {
    Map<String, String> shown = new TreeMap<>();
    server
        .admin()
        .client()
        .nodes()
        .list()
        .getItems()
        .forEach(
            node -> {
              Map<String, String> all = node.getMetadata().getAnnotations();
              shown.put(
                  node.getMetadata().getName(),
                  all == null ? "" : all.getOrDefault(NodeIdMirror.ID, ""));
            });
    return shown;
  }

  /** The holders of ids, by id. */
  private Map<String, String> held() {
    Map<String, String> held = new TreeMap<>();
    server
        .admin()
        .client()
        .leases()
        .inNamespace(NAMESPACE)
        .list()
        .getItems()
        .forEach(
            lease ->
                held.put(
                    ClaimName.id(lease.getMetadata().getName()).orElseThrow().toString(),
                    lease.getSpec().getHolderIdentity()));
    return held;
  }

  /** So many agents, none of whose nodes has an object, that claim an id each, all at once. */
  private List<CompletableFuture<NodeId>> agents(int count) {
    List<CompletableFuture<NodeId>> agents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      LeaseClaimStore claims = closed(LeaseClaimStore.watch(server.admin(), NAMESPACE, workers));
      ClusterNode node = ClusterNode.named("a" + i, "u-" + i);
      agents.add(
          new OwnNodeId(
                  node.name(),
                  node.uid(),
                  subnets.capacity().ids(),
                  claims,
                  scheduler,
                  effects,
                  new Random(i))
              .claim(Duration.ofSeconds(60))
              .toCompletableFuture());
    }
    return agents;
  }

  private static List<String> ids(List<CompletableFuture<NodeId>> agents) throws Exception {
    List<String> ids = new ArrayList<>();
    for (CompletableFuture<NodeId> each : agents) {
      ids.add(each.get(90, TimeUnit.SECONDS).toString());
    }
    return ids;
  }

  @Test
  @DisplayName("NI-26 NI-AM19 Two operators and 64 agents at once give no id twice")
  void operatorsAndAgents() throws Exception {
    for (int i = 0; i < COUNT; i++) {
      create("n" + i);
    }
    NodeIdController one = operator();
    List<CompletableFuture<NodeId>> agents = agents(64);
    NodeIdController two = operator();

    List<String> ids = ids(agents);
    Eventually.holds(
        "all nodes show their ids", () -> shown().values().stream().noneMatch(String::isEmpty));
    Map<String, String> held = held();
    for (int i = 0; i < ids.size(); i++) {
      assertThat(held).containsEntry(ids.get(i), "a" + i);
    }
    shown().forEach((node, id) -> assertThat(held).containsEntry(id, node));
    ids.addAll(shown().values());
    assertThat(ids).hasSize(64 + COUNT).doesNotHaveDuplicates();
    one.stop().toCompletableFuture().get(20, TimeUnit.SECONDS);
    two.stop().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }
}
