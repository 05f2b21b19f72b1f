package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.cluster.EventWording;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.lease.LeaderLease;
import io.tidemark.cluster.lease.LeaseTiming;
import io.tidemark.error.CoreError;
import io.tidemark.ip.Cidr;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.deploy.Rights.Right;
import io.tidemark.kubernetes.deploy.Rights.Use;
import io.tidemark.kubernetes.events.ClusterEvents;
import io.tidemark.kubernetes.lease.LeaseSettings;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("kubernetes")
@DisplayName(
    "The rights of deploy/node-cidr: all that is asked for is allowed, and nothing is too much")
class NodeCidrRightsOnServerTest {
  private static final LeaseTiming QUICK =
      new LeaseTiming(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(100));

  private static final ThreadTaskScheduler SCHEDULER =
      ThreadTaskScheduler.start("rights", SystemTime.instance());
  private static final PooledEffectRunner EFFECTS =
      new PooledEffectRunner("rights", 4, 64, SCHEDULER);

  private static Rights rights;

  /** As the program connects: with merge patches. */
  private static ClusterConnection account;

  private static int names;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    rights = new Rights(Manifests.NODE_CIDR);
    account =
        ClusterConnection.open(
            new ClusterAccess(
                Optional.of(rights.kubeconfig(folder, rights.token())),
                Optional.empty(),
                Duration.ofSeconds(10)));
  }

  @AfterAll
  static void stop() {
    account.close();
    rights.close();
    EFFECTS.close();
    SCHEDULER.close();
  }

  static Stream<Right> all() throws IOException {
    return Rights.all(Manifests.NODE_CIDR).stream();
  }

  private static Use use(String resource) {
    return switch (resource) {
      case "nodes" -> NodeCidrRightsOnServerTest::nodes;
      case "leases" -> NodeCidrRightsOnServerTest::leases;
      case "events" -> complaints -> events();
      default -> throw new AssertionError("nothing uses " + resource);
    };
  }

  @Test
  @DisplayName("NC-AM38 allow everything that is done with nodes, the lease and Events")
  void enough() throws Exception {
    for (String each : List.of("nodes", "leases", "events")) {
      assertThat(rights.complaints(use(each))).as(each).isEmpty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  @DisplayName("NC-AM38 each is needed, and its lack is named in words")
  void needed(Right right) throws Exception {
    rights.assertNeeded(right, use(right.resource()));
  }

  private static void nodes(List<String> complaints) {
    String name = "n" + names++;
    String node =
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"" + name + "\"}}";
    String unused = rights.admin.client().raw("/api/v1/nodes", "POST", node);
    try (ClusterNodes nodes =
        ClusterNodes.watch(account, SystemTime.instance(), Runnable::run, changed -> {})) {
      Eventually.holds("it is listed", () -> rights.hasWarned() || nodes.latest(name).isPresent());
      String label = "{\"spec\":{\"unschedulable\":true}}";
      String unusedPatch = rights.admin.client().raw("/api/v1/nodes/" + name, "PATCH", label);
      Eventually.holds("it is cordoned", () -> rights.hasWarned() || nodes.isClosed(name));
      if (rights.hasWarned()) {
        return;
      }
      if (nodes.get(name) instanceof Reading.Failed failed) {
        complaints.add(failed.detail());
      }
      String uid = nodes.latest(name).map(ClusterNode::uid).orElseThrow();
      NodeChange change =
          nodes.assignPodCidrs(name, uid, List.of(Cidr.parse("10.9." + names + ".0/24")));
      if (change instanceof NodeChange.Refused refused) {
        complaints.add(refused.detail());
      }
    }
  }

  private static void leases(List<String> complaints) throws Exception {
    LeaderLease lease =
        new LeaseSettings(
                Manifests.NAMESPACE, Manifests.NODE_CIDR.account(), "process-" + names++, QUICK)
            .lease(account, SCHEDULER, EFFECTS, Map::of);
    lease.start();
    Eventually.holds(
        "it is won and renewed",
        () -> lease.trouble().isPresent() || (lease.isOpen() && isRenewed()));
    lease.trouble().ifPresent(complaints::add);
    Object unused = lease.release().toCompletableFuture().get();
    Object unusedDeletion =
        rights.admin.client().leases().inNamespace(Manifests.NAMESPACE).delete();
  }

  private static boolean isRenewed() {
    var lease =
        rights
            .admin
            .client()
            .leases()
            .inNamespace(Manifests.NAMESPACE)
            .withName(Manifests.NODE_CIDR.account())
            .get();
    return lease != null
        && !lease.getSpec().getRenewTime().equals(lease.getSpec().getAcquireTime());
  }

  private static void events() {
    String node = "e" + names++;
    ClusterEvents events = ClusterEvents.of(account, "test", EFFECTS, SCHEDULER);
    for (int count = 1; count <= 2; count++) {
      int expected = count;
      events
          .onNodes(name -> Optional.of("u"), EventWording.USUAL)
          .report(node, CoreError.NODE_UNKNOWN, "none");
      Eventually.holds(
          "the missing right is reported", () -> rights.hasWarned() || count(node) == expected);
    }
    events.close();
  }

  private static int count(String node) {
    return rights.admin.client().v1().events().inAnyNamespace().list().getItems().stream()
        .filter(event -> event.getInvolvedObject().getName().equals(node))
        .mapToInt(event -> event.getCount())
        .findFirst()
        .orElse(0);
  }
}
