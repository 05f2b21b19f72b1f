package io.tidemark.daemon.cni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.PoolSnapshot.HeldAddress;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The addresses of a node for health checks")
class HealthAddressesTest {
  private static TestAgent agent(String... blocks) {
    TestAgent agent = new TestAgent(blocks);
    agent.health = true;
    agent.restart();
    return agent;
  }

  private static List<String> health(TestAgent agent) {
    return agent.ipam.snapshot().stream()
        .flatMap(each -> each.held().stream())
        .filter(each -> each.owner().equals("health"))
        .map(HeldAddress::ip)
        .map(IpAddress::toString)
        .toList();
  }

  @Test
  @DisplayName("A64 The node holds one of each family, and the same ones after a restart")
  void kept() {
    TestAgent agent = agent("10.0.0.0/24", "fd00::/64");
    List<String> first = health(agent);
    assertThat(first).hasSize(2);
    assertThat(agent.fileText()).contains(first);
    List<String> pod = agent.add("c1").addresses();
    agent.restart();

    assertThat(health(agent)).isEqualTo(first);
    assertThat(agent.add("c1").addresses()).isEqualTo(pod);
    agent.boot = "boot-2";
    agent.restart();
    assertThat(health(agent)).isEqualTo(first);
  }

  @Test
  @DisplayName("A64 When it is turned off, they are free and forgotten")
  void turnedOff() {
    TestAgent agent = agent("10.0.0.0/24");
    String first = health(agent).get(0);
    agent.health = false;
    agent.restart();
    assertThat(health(agent)).isEmpty();
    assertThat(agent.fileText()).doesNotContain(first);
  }

  @Test
  @DisplayName("A64 When one family has no address, none of the other is held, and pods are served")
  void oneFamilyFull() {
    TestAgent agent = agent("10.0.0.0/24", "fd00::/127");
    agent.health = false;
    agent.restart();
    assertThat(agent.add("c1").succeeded()).isTrue();
    agent.health = true;
    agent.restart();

    assertThat(health(agent)).isEmpty();
    assertThat(agent.add("c1").succeeded()).isTrue();
  }

  @Test
  @DisplayName("A64 Without a file that the object names is taken")
  void published() {
    TestAgent agent = new TestAgent("10.0.0.0/24");
    NodeNetworks networks = agent.networks;
    agent.networks =
        new NodeNetworks() {
          @Override
          public List<Cidr> cidrs() {
            return networks.cidrs();
          }

          @Override
          public Stream<IpAddress> gateways(Cidr network) {
            return networks.gateways(network);
          }

          @Override
          public List<IpAddress> published(String owner) {
            return owner.equals("health")
                ? List.of(IpAddress.parse("fd00::77"), IpAddress.parse("10.0.0.77"))
                : List.of();
          }
        };
    agent.health = true;
    agent.restart();
    assertThat(health(agent)).containsExactly("10.0.0.77");
  }
}
