package io.tidemark.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpAddress;
import io.tidemark.it.engine.Happening.Kind;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.node.NodeReport;
import io.tidemark.node.NodeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kubernetes")
@Tag("long")
@DisplayName("A second program that wrote spec.ipam.pool and has ended")
class SecondOwnerEndTest {
  private static final String NODE = "n1";
  private static final IpAddress FOREIGN = IpAddress.parse("10.99.0.9");

  /** Of half a minute; the pause is twice the {@code overlay-expiry} of two minutes at most. */
  private static final int PASSES = 9;

  @Test
  @DisplayName("its pool stands until the pause is over, and then the node's own is written again")
  void mended() throws Exception {
    try (ApiServer server = ApiServer.start();
        ClusterConnection cluster = server.connect(User.ADMIN)) {
      ServerHome home = new ServerHome(cluster);
      try (SequenceWorld world = new SequenceWorld(home, List.of(NODE))) {
        world.happen(new Happening(Kind.CREATED, NODE, 1));
        NodeResource own = shown(home);
        assertThat(own.pool().size()).isPositive();
        assertThat(world.report(NODE).state()).isEqualTo(NodeState.OK);

        home.writeSpecAs("other-operator", CiliumNodes.withPoolAddress(own, "eni-9", FOREIGN));
        world.pass();
        NodeReport still = world.report(NODE);
        assertThat(still.blocked().map(Blocked::reason)).contains(BlockedReason.SECOND_OWNER);
        assertThat(still.blocked().map(Blocked::detail).orElse("")).contains("'other-operator'");
        assertThat(shown(home).pool().contains(FOREIGN)).as("nothing is written").isTrue();

        for (int i = 0; i < PASSES; i++) {
          world.pass();
        }
        assertThat(world.report(NODE).state()).isEqualTo(NodeState.OK);
        assertThat(world.unsettled()).isEmpty();
        assertThat(shown(home).pool()).isEqualTo(own.pool());
      }
    }
  }

  private static NodeResource shown(ServerHome home) {
    return Objects.requireNonNull(home.all().get(NODE));
  }
}
