package io.tidemark.daemon.cni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.CoolingRule;
import io.tidemark.daemon.cni.TestAgent.Reply;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The gateways of networks that appear while pods run")
class GatewaysTest {
  private static final Cidr NETWORK = Cidr.parse("10.0.0.0/24");

  private final List<Cidr> networks = new CopyOnWriteArrayList<>();
  private final TestAgent agent = new TestAgent(NETWORK.toString());

  /** Starts again, knowing of no network yet. */
  private void start(GatewayChoice choice) {
    start(agent, choice);
  }

  private void start(TestAgent agent, GatewayChoice choice) {
    agent.gateway = choice;
    agent.networks =
        new NodeNetworks() {
          @Override
          public List<Cidr> cidrs() {
            return networks;
          }

          @Override
          public Stream<IpAddress> gateways(Cidr network) {
            return NodeNetworks.of(List.of(network)).gateways(network);
          }

          @Override
          public Change change() {
            return Change.APPEAR;
          }
        };
    agent.restart();
  }

  @Test
  @DisplayName("A93 The first pod of a new network brings its gateway, which stays without pods")
  void appears() {
    start(GatewayChoice.ROUTER);
    assertThat(agent.add("c1").gateway()).isEmpty();
    assertThat(agent.inUse()).isEqualTo(1);

    networks.add(NETWORK);
    Reply second = agent.add("c2");
    assertThat(second.gateway()).isEqualTo("10.0.0.1");
    assertThat(agent.add("c1").gateway()).as("an ADD that is repeated").isEqualTo("10.0.0.1");
    assertThat(agent.fileText()).contains("\"routers\":[\"10.0.0.1\"]");

    agent.delete("c1");
    agent.delete("c2");
    agent.pass(Duration.ofSeconds(1));
    assertThat(agent.inUse()).isEqualTo(1);
    agent.restart();
    assertThat(agent.add("c3").gateway()).isEqualTo("10.0.0.1");
  }

  @Test
  @DisplayName("A90 A pod does not take the last address of a network that has no gateway yet")
  void lastAddress() {
    TestAgent small = new TestAgent(CoolingRule.OFF, "10.0.0.0/30");
    start(small, GatewayChoice.ROUTER);
    assertThat(small.add("c1").succeeded()).isTrue();
    networks.add(Cidr.parse("10.0.0.0/30"));

    assertThat(small.add("c2").output()).isEqualTo("no answer");
    assertThat(small.inUse()).isEqualTo(1);
    small.delete("c1");
    small.pass(Duration.ofSeconds(1));
    assertThat(small.add("c2").gateway()).isNotEmpty();
    assertThat(small.inUse()).isEqualTo(2);
  }

  @Test
  @DisplayName("A87 A gateway whose first pod could not be stored is stored with the next one")
  void notStored() {
    start(GatewayChoice.ROUTER);
    networks.add(NETWORK);
    agent.files.fault(agent.files.changes().size(), Fault.FAILS, 0);
    assertThat(agent.add("c1").succeeded()).isFalse();
    assertThat(agent.add("c1").gateway()).isEqualTo("10.0.0.1");
    assertThat(agent.fileText()).contains("\"routers\":[\"10.0.0.1\"]");
  }

  @Test
  @DisplayName("A90 Where results name another gateway or none, no address is taken for one")
  void otherChoice() {
    networks.add(NETWORK);
    for (GatewayChoice each : List.of(GatewayChoice.INTERFACE, GatewayChoice.NONE)) {
      start(each);
      assertThat(agent.add("c1").succeeded()).isTrue();
      assertThat(agent.inUse()).as("%s", each).isEqualTo(1);
    }
  }
}
