package io.tidemark.kubernetes.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("kubernetes")
@DisplayName("Events in a real API server")
class EventsOnServerTest {
  private static final Blocked FULL = new Blocked(BlockedReason.SUBNET_EXHAUSTED, "subnet-1");

  @RegisterExtension private static final ApiServer server = ApiServer.ofClass();
  private static ThreadTaskScheduler scheduler;
  private static PooledEffectRunner effects;

  @BeforeAll
  static void start() throws Exception {
    scheduler = ThreadTaskScheduler.start("test-timer", SystemTime.instance());
    effects = new PooledEffectRunner("test-events", 1, 16, scheduler);
    new CiliumNodes(server.admin()).create(NodeResource.named("n1.example").withInstanceId("i-1"));
  }

  @AfterAll
  static void stop() {
    effects.close();
    scheduler.close();
  }

  /** The request of {@code kubectl describe ciliumnode}. */
  private static List<Event> described(String uid) {
    return server
        .admin()
        .client()
        .v1()
        .events()
        .inAnyNamespace()
        .withField("involvedObject.kind", "CiliumNode")
        .withField("involvedObject.name", "n1.example")
        .withField("involvedObject.namespace", "")
        .withField("involvedObject.uid", uid)
        .list()
        .getItems();
  }

  private static boolean isShown(String uid, String type, int count) {
    List<Event> found = described(uid);
    return found.size() == 1
        && found.get(0).getType().equals(type)
        && found.get(0).getCount() == count;
  }

  @Test
  @DisplayName("describe shows a warning that counts up, turns normal, and goes on after a restart")
  void described() throws Exception {
    try (ClusterConnection connection = server.connect(User.ADMIN);
        KubernetesNodeResourceStore store =
            KubernetesNodeResourceStore.open(connection, SystemTime.instance(), Runnable::run)) {
      Eventually.holds("the node is known", () -> store.uid("n1.example").isPresent());
      String uid = store.uid("n1.example").orElseThrow();
      ClusterEvents first = ClusterEvents.of(connection, "operator-1", effects, scheduler);
      first.onCiliumNodes(store::uid).report("n1.example", FULL.reason(), FULL.detail());
      Eventually.holds("it is told", () -> isShown(uid, "Warning", 1));
      Event event = described(uid).get(0);
      assertThat(event.getMetadata().getNamespace()).isEqualTo("default");
      assertThat(event.getReason()).isEqualTo("SubnetExhausted");
      assertThat(event.getMessage()).startsWith("TM-1203 subnet-1. ");
      assertThat(event.getReportingComponent()).isEqualTo("tidemark-operator");
      assertThat(event.getReportingInstance()).isEqualTo("operator-1");
      assertThat(event.getFirstTimestamp()).isNotEmpty();
      first.onCiliumNodes(store::uid).report("n1.example", FULL.reason(), FULL.detail());
      Eventually.holds("it counts up", () -> isShown(uid, "Warning", 2));
      first.onCiliumNodes(store::uid).cleared("n1.example", BlockedReason.SUBNET_EXHAUSTED);
      Eventually.holds("it is solved", () -> isShown(uid, "Normal", 2));
      first.close();

      ClusterEvents second = ClusterEvents.of(connection, "operator-2", effects, scheduler);
      second.onCiliumNodes(store::uid).report("n1.example", FULL.reason(), FULL.detail());
      Eventually.holds("it is open again", () -> isShown(uid, "Warning", 2));
      second.onCiliumNodes(store::uid).report("n1.example", FULL.reason(), FULL.detail());
      Eventually.holds("it counts on", () -> isShown(uid, "Warning", 3));
      assertThat(described(uid).get(0).getReportingInstance()).isEqualTo("operator-2");
      server.admin().client().v1().events().inNamespace("default").delete();
      second.onCiliumNodes(store::uid).report("n1.example", FULL.reason(), FULL.detail());
      Eventually.holds("what the server forgot is made again", () -> isShown(uid, "Warning", 1));
      second.close();
    }
  }

  @Test
  @DisplayName("without the right the failure names verb and resource")
  void forbidden() throws Exception {
    try (ClusterConnection nobody = server.connect(User.NOBODY)) {
      EventRequests requests = new EventRequests(nobody, "operator-1");
      ReportedProblem problem =
          new ReportedProblem(
              EventSubject.ciliumNode("n2", "u2"),
              new ProblemKind("NoSubnet", "tidemark-operator", "NoSubnet"),
              1,
              1_700_000_000_000L);
      problem.met("none", 1_700_000_000_000L);
      EventEnd made = requests.send(problem.write());
      assertThat(((EventEnd.Failed) made).failure().text())
          .contains("cannot create", "events", "Grant it");
      problem.exists();
      EventEnd changed = requests.send(problem.write());
      assertThat(((EventEnd.Failed) changed).failure().text()).contains("cannot patch");
    }
  }
}
