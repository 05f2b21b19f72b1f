package io.tidemark.kubernetes.deploy;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.cluster.EventWording;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.lease.LeaderLease;
import io.tidemark.cluster.lease.LeaseTiming;
import io.tidemark.error.CoreError;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
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

/**
 * The rights of a folder of {@code deploy} whose program gives something to Nodes, and what the
 * program does with nodes, its lease and Events. Not thread-safe.
 */
final class NodesRights implements AutoCloseable {
  private static final LeaseTiming QUICK =
      new LeaseTiming(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(100));

  final Rights rights;

  /** As the program connects: with merge patches. */
  final ClusterConnection account;

  private final Manifests manifests;
  private final Change change;
  private final ThreadTaskScheduler scheduler =
      ThreadTaskScheduler.start("rights", SystemTime.instance());
  private final PooledEffectRunner effects = new PooledEffectRunner("rights", 4, 64, scheduler);
  private int names;

  /** The program's write to a node. */
  interface Change {
    NodeChange of(ClusterNodes nodes, ClusterNode node, int number);
  }

  NodesRights(Manifests manifests, Path folder, Change change) throws IOException {
    this.manifests = manifests;
    this.change = change;
    this.rights = new Rights(manifests);
    this.account =
        ClusterConnection.open(
            new ClusterAccess(
                Optional.of(rights.kubeconfig(folder, rights.token())),
                Optional.empty(),
                Duration.ofSeconds(10)));
  }

  /** A number that was not given out before. */
  int next() {
    return names++;
  }

  /** The program's use of a resource. */
  Use use(String resource) {
    return switch (resource) {
      case "nodes" -> this::nodes;
      case "leases" -> this::leases;
      case "events" -> complaints -> events();
      default -> throw new AssertionError("nothing uses " + resource);
    };
  }

  private void nodes(List<String> complaints) {
    String name = "n" + next();
    String node =
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"" + name + "\"}}";
    rights.admin.client().raw("/api/v1/nodes", "POST", node);
    try (ClusterNodes nodes =
        ClusterNodes.watch(account, SystemTime.instance(), Runnable::run, changed -> {})) {
      Eventually.holds("it is listed", () -> rights.hasWarned() || nodes.latest(name).isPresent());
      String label = "{\"spec\":{\"unschedulable\":true}}";
      rights.admin.client().raw("/api/v1/nodes/" + name, "PATCH", label);
      Eventually.holds("it is cordoned", () -> rights.hasWarned() || nodes.isClosed(name));
      if (rights.hasWarned()) {
        return;
      }
      if (nodes.get(name) instanceof Reading.Failed failed) {
        complaints.add(failed.detail());
      }
      ClusterNode seen = nodes.latest(name).orElseThrow();
      NodeChange end = change.of(nodes, seen, next());
      if (end instanceof NodeChange.Refused refused) {
        complaints.add(refused.detail());
      }
    }
  }

  private void leases(List<String> complaints) throws Exception {
    LeaderLease lease =
        new LeaseSettings(Manifests.NAMESPACE, manifests.account(), "process-" + next(), QUICK)
            .lease(account, scheduler, effects, Map::of);
    lease.start();
    Eventually.holds(
        "it is won and renewed",
        () -> lease.trouble().isPresent() || (lease.isOpen() && isRenewed()));
    lease.trouble().ifPresent(complaints::add);
    lease.release().toCompletableFuture().get();
    rights.admin.client().leases().inNamespace(Manifests.NAMESPACE).delete();
  }

  private boolean isRenewed() {
    var lease =
        rights
            .admin
            .client()
            .leases()
            .inNamespace(Manifests.NAMESPACE)
            .withName(manifests.account())
            .get();
    return lease != null
        && !lease.getSpec().getRenewTime().equals(lease.getSpec().getAcquireTime());
  }

  private void events() {
    String node = "e" + next();
    ClusterEvents events = ClusterEvents.of(account, "test", effects, scheduler);
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

  private int count(String node) {
    return rights.admin.client().v1().events().inAnyNamespace().list().getItems().stream()
        .filter(event -> event.getInvolvedObject().getName().equals(node))
        .mapToInt(event -> event.getCount())
        .findFirst()
        .orElse(0);
  }

  @Override
  public void close() {
    account.close();
    rights.close();
    effects.close();
    scheduler.close();
  }
}
