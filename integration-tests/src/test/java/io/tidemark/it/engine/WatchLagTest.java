package io.tidemark.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpAddress;
import io.tidemark.it.cluster.ClusterAgent;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.CutLine;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.IpamSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kubernetes")
@Tag("long")
@DisplayName("A watch that tells everything late")
class WatchLagTest {
  private static final String NODE = "n1";
  private static final Duration LAG = Duration.ofMillis(1_500);
  private static final int ROUNDS = 6;
  private static final int PODS_MAX = 14;

  /** Nobody lost an address that a pod holds. */
  private static void everyHeldAddressIsAttached(
      MockAccount account, ClusterAgent agent, String when) {
    Map<IpAddress, String> attached = account.secondaryAddresses(NODE);
    assertThat(attached.keySet()).as(when).containsAll(agent.used().keySet());
  }

  @Test
  @DisplayName("takes no address from a pod, makes nobody write twice, and ends in the right pool")
  void late() throws Exception {
    long seed = Long.getLong("tidemark.seed", System.nanoTime());
    String replay = "replay with -Dtidemark.seed=" + seed;
    SplittableRandom random = new SplittableRandom(seed);
    try (ApiServer server = ApiServer.start();
        CutLine line = CutLine.to(server.port());
        ClusterConnection outside = server.connect(User.ADMIN);
        ClusterConnection cluster = server.connect(User.ADMIN, line.port());
        LiveEngine engine =
            new LiveEngine(
                cluster,
                List.of(NODE),
                EngineConfig.defaults().releasingAfter(Duration.ofSeconds(1)))) {
      CiliumNodes nodes = new CiliumNodes(outside);
      Eventually.holds("the watch goes over the line", () -> line.watches() > 0);
      line.lag(LAG);
      nodes.create(MockAccount.introduced(NODE, IpamSpec.of(3, 0, 0, 0)));
      ClusterAgent agent = new ClusterAgent(nodes, NODE, random.split());
      for (int round = 1; round <= ROUNDS; round++) {
        int wanted = random.nextInt(PODS_MAX + 1);
        String when = "round " + round + ", " + replay;
        Eventually.holds(
            "every pod has an address, " + when,
            () -> {
              boolean served = agent.turn(wanted);
              everyHeldAddressIsAttached(engine.account, agent, when);
              return served;
            });
      }
      Eventually.holds(
          "what is not needed is given back, " + replay,
          () -> {
            boolean served = agent.turn(1);
            everyHeldAddressIsAttached(engine.account, agent, replay);
            return served && nodes.node(NODE).pool().size() == 1 + 3 && engine.isSettled();
          });
      assertThat(engine.account.hasPoolOf(nodes.node(NODE))).as(replay).isTrue();

      int before = engine.requests.writes();
      long end = System.nanoTime() + LAG.multipliedBy(2).toNanos();
      Eventually.holds("our own writes came back", () -> System.nanoTime() - end > 0);
      assertThat(engine.requests.writes()).as("nothing is said twice").isEqualTo(before);
    }
  }
}
