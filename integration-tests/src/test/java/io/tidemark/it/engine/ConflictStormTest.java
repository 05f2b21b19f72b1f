package io.tidemark.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.IpamSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kubernetes")
@Tag("long")
@DisplayName("An agent that writes its status every few milliseconds")
class ConflictStormTest {
  private static final String NODE = "n1";

  /** Far more than it takes until either side was too late with a write. */
  private static final int ROUNDS_MAX = 20;

  /** Without this there was no storm. */
  private static boolean eachCameTooLate(LiveEngine engine, StormingAgent agent) {
    return engine.requests.conflicts() > 0 && agent.conflicts() > 0;
  }

  /**
   * A change of the cloud is at most four things to say (that addresses are marked, that they are
   * released, the pool, that the handshake is over), and the node itself four more. A write is made
   * again only on a newer object, which the agent must have made, and after one read.
   */
  private static void everyRequestHadAReason(LiveEngine engine, StormingAgent agent) {
    CountedStore requests = engine.requests;
    String all = requests + "; the agent: " + agent.writes() + " writes";
    assertThat(requests.stored()).as(all).isLessThanOrEqualTo(4 + 4 * engine.account.changes());
    assertThat(requests.conflicts()).as(all).isLessThanOrEqualTo(agent.writes());
    assertThat(requests.reads()).as(all).isLessThanOrEqualTo(requests.conflicts());
    assertThat(requests.writes()).as(all).isEqualTo(requests.stored() + requests.conflicts());
  }

  @Test
  @DisplayName("loses nothing of what it says, and gets its pool filled and emptied nevertheless")
  void storm() throws Exception {
    try (ApiServer server = ApiServer.start();
        ClusterConnection outside = server.connect(User.ADMIN);
        ClusterConnection cluster = server.connect(User.ADMIN);
        LiveEngine engine =
            new LiveEngine(
                cluster,
                List.of(NODE),
                EngineConfig.defaults().releasingAfter(Duration.ofSeconds(1)))) {
      CiliumNodes nodes = new CiliumNodes(outside);
      nodes.create(MockAccount.introduced(NODE, IpamSpec.of(8, 0, 0, 0)));
      try (StormingAgent agent = new StormingAgent(nodes, NODE)) {
        int rounds = 0;
        do {
          agent.wants(6);
          Eventually.holds("every pod has an address", agent::isServed);
          Eventually.holds("the pool is filled", () -> nodes.node(NODE).pool().size() == 6 + 8);
          agent.wants(1);
          Eventually.holds("the pool is emptied", () -> nodes.node(NODE).pool().size() == 1 + 8);
          Eventually.holds("the handshake is over", () -> nodes.node(NODE).releaseIps().isEmpty());
          rounds++;
        } while (!eachCameTooLate(engine, agent) && rounds < ROUNDS_MAX);
        assertThat(eachCameTooLate(engine, agent))
            .as("conflicts of engine and agent in " + rounds + " rounds")
            .isTrue();
        everyRequestHadAReason(engine, agent);
        int before = engine.requests.writes();
        int written = agent.writes();
        Eventually.holds("the storm goes on", () -> agent.writes() > written + 50);
        assertThat(engine.requests.writes()).as("nothing is left to say").isEqualTo(before);
        assertThat(agent.lost()).isEmpty();
      }
      Eventually.holds("nothing is left to do", engine::isSettled);
      assertThat(engine.account.hasPoolOf(nodes.node(NODE))).isTrue();
    }
  }
}
