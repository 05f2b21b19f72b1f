package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.daemon.cni.TestAgent.Reply;
import io.tidemark.file.CrashingFiles.Crash;
import io.tidemark.file.CrashingFiles.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("An agent whose pools consist of CIDRs")
class PoolAgentTest {
  private static final Duration RATE = Duration.ofSeconds(15);
  private static final int TRY_AGAIN = 11;

  private TestPoolAgent agent(String... more) {
    List<String> settings = new ArrayList<>(List.of(more));
    settings.add("ip-cooldown=0s");
    return new TestPoolAgent(settings.toArray(String[]::new));
  }

  @Test
  @DisplayName("A51 A54 It asks for addresses of the pools that pods name, and gives CIDRs back")
  void demand() {
    TestPoolAgent agent = agent();
    assertThat(agent.requested()).isEqualTo(Map.of("default", 8));
    agent.offer("default", "10.0.0.0/28");
    Reply first = agent.ask("ADD", "c1", "");
    assertThat(first.address()).startsWith("10.0.0.");
    assertThat(first.gateway()).isEqualTo("10.0.0.1").isNotEqualTo(first.address());

    CompletableFuture<Reply> mars = agent.send("ADD", "c2", "mars");
    CompletableFuture<Reply> venus = agent.send("ADD", "c3", "venus");
    agent.pass(Duration.ofSeconds(5));
    assertThat(agent.ask("ADD", "c4", "").address()).as("others do not wait").startsWith("10.0.0.");
    assertThat(agent.ask("STATUS", "x", "").succeeded()).isTrue();
    agent.pass(RATE);
    assertThat(mars.join().code()).isEqualTo(TRY_AGAIN);
    assertThat(venus.join().output()).contains("no IPv4 addresses of pool venus");
    assertThat(agent.requested()).isEqualTo(Map.of("default", 16, "mars", 1, "venus", 1));

    agent.offer("mars", "10.1.0.0/29");
    assertThat(agent.ask("ADD", "c2", "mars").address()).startsWith("10.1.0.");
    agent.ask("DEL", "c2", "");
    agent.pass(Duration.ofMinutes(6));
    assertThat(agent.allocated("mars")).as("nobody wants it").isEmpty();
    assertThat(agent.allocated("default")).containsExactly("10.0.0.0/28");
    assertThat(agent.requested()).isEqualTo(Map.of("default", 16));
  }

  @Test
  @DisplayName("A61 A CIDR has a gateway while it has pods, over a restart too, and no longer")
  void gateways() {
    TestPoolAgent agent = agent("ipam-multi-pool-pre-allocation=default=0,mars=0");
    CompletableFuture<Reply> first = agent.send("ADD", "c1", "mars");
    agent.pass(RATE);
    assertThat(first.join().code()).isEqualTo(TRY_AGAIN);
    agent.offer("mars", "10.1.0.0/29");
    Reply one = agent.ask("ADD", "c1", "mars");
    Reply two = agent.ask("ADD", "c2", "mars");
    String gateway = one.gateway();
    assertThat(two.gateway()).isEqualTo(gateway).startsWith("10.1.0.");
    assertThat(List.of(one.address(), two.address())).doesNotContain(gateway);
    agent.restart();
    assertThat(agent.ask("ADD", "c1", "mars")).isEqualTo(one);
    assertThat(agent.fileText())
        .contains("\"routers\":[\"" + gateway + "\"],\"routerPools\":[\"mars\"]");

    agent.ask("DEL", "c1", "");
    assertThat(agent.ask("ADD", "c2", "mars").gateway()).isEqualTo(gateway);
    agent.ask("DEL", "c2", "");
    agent.pass(Duration.ofSeconds(1));
    assertThat(agent.fileText()).contains("\"routers\":[]");
    agent.pass(Duration.ofMinutes(6));
    assertThat(agent.allocated("mars")).isEmpty();
  }

  private static List<String> health(TestPoolAgent agent) {
    return agent.pools.ipam().snapshot().stream()
        .flatMap(each -> each.held().stream())
        .filter(each -> each.owner().equals("health"))
        .map(each -> each.ip().toString())
        .toList();
  }

  @Test
  @DisplayName(
      "A64 The address for health checks is one of the default pool, and stays over restarts")
  void health() {
    TestPoolAgent agent = agent("enable-health-checking=true");
    assertThat(health(agent)).as("no CIDR yet").isEmpty();
    agent.offer("default", "10.0.0.0/28");
    agent.pass(RATE);
    agent.restart();
    List<String> first = health(agent);
    assertThat(first).hasSize(1).allMatch(ip -> ip.startsWith("10.0.0."));
    agent.pass(RATE);
    assertThat(agent.fileText()).contains("\"health\":[\"" + first.get(0) + "\"]");
    agent.restart();
    assertThat(health(agent)).isEqualTo(first);

    agent.pass(RATE);
    agent.offer("default", "10.0.1.0/28");
    agent.restart();
    assertThat(health(agent)).as("its CIDR is used").isEqualTo(first);
    assertThat(agent.allocated("default")).contains("10.0.0.0/28");
  }

  @Test
  @DisplayName("A61 The gateway goes with its only pod, also when that could not be stored")
  void gatewayOfNone() {
    TestPoolAgent agent = agent();
    agent.offer("default", "10.0.0.0/28");
    agent.pass(RATE);
    agent.files.fault(agent.files.changes().size(), Fault.FAILS, 0);
    assertThat(agent.ask("ADD", "c1", "").code()).isEqualTo(TRY_AGAIN);
    agent.pass(Duration.ofSeconds(1));
    assertThat(agent.pools.ipam().snapshot()).allMatch(each -> each.counts().inUse() == 0);
    assertThat(agent.fileText()).contains("\"routers\":[]");
  }

  @Test
  @DisplayName("A89 A default pool that is filled on demand does not fail STATUS")
  void onDemand() {
    assertThat(agent().ask("STATUS", "x", "").code()).isEqualTo(50);
    assertThat(agent("ipam-multi-pool-pre-allocation=default=0").ask("STATUS", "x", "").succeeded())
        .isTrue();
  }

  @Test
  @DisplayName(
      "A82 While the record of what is given back cannot be written, nothing is given back")
  void recordFails() {
    TestPoolAgent agent = agent();
    agent.offer("default", "10.0.0.0/28");
    agent.pass(RATE);
    for (int i = 0; i < 3; i++) {
      agent.files.fault(agent.files.changes().size(), Fault.FAILS, 0);
      agent.offer("default", "10.0.0.0/28", "10.0.1.0/28");
      agent.pass(RATE);
    }
    agent.pass(RATE);
    assertThat(agent.allocated("default")).containsExactly("10.0.0.0/28");
    assertThat(agent.fileText()).contains("10.0.1.0/28", "DROPPED");
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"CRASH_BEFORE", "CRASH_INSIDE", "CRASH_AFTER"})
  @DisplayName("A82 After a crash at the record, what was given back is known or still listed")
  void crash(Fault fault) {
    for (int change = 0; change < 3; change++) {
      TestPoolAgent agent = agent();
      agent.offer("default", "10.0.0.0/28");
      agent.pass(RATE);
      agent.files.fault(agent.files.changes().size() + change, fault, 5);
      boolean crashed = false;
      try {
        agent.offer("default", "10.0.0.0/28", "10.0.1.0/28");
        agent.pass(RATE);
      } catch (Crash e) {
        crashed = true;
        assertThat(agent.allocated("default")).as("nothing left before").hasSize(2);
      }
      assertThat(crashed).as("%s at %s", fault, change).isTrue();
      boolean known = agent.fileText().contains("DROPPED");
      agent.restart();
      if (known) {
        assertThat(states(agent)).doesNotContain("10.0.1.0/28 DRAWN");
      }
      agent.pass(RATE);
      assertThat(agent.allocated("default")).containsExactly("10.0.0.0/28");
    }
  }

  @Test
  @DisplayName("A82 A93 The quarantine of a CIDR goes on after a restart, and pods keep addresses")
  void quarantine() {
    TestPoolAgent agent = agent("ipam-multi-pool-pre-allocation=default=1", "cni-gateway=none");
    agent.offer("default", "10.0.0.1/32", "10.0.0.2/32", "10.0.0.3/32");
    assertThat(agent.ask("ADD", "c1", "").address()).isEqualTo("10.0.0.1");
    agent.pass(RATE);
    assertThat(agent.allocated("default")).containsExactly("10.0.0.1/32", "10.0.0.2/32");
    agent.offer("default", "10.0.0.1/32", "10.0.0.2/32", "10.0.0.3/32");
    agent.pass(RATE);
    agent.ask("ADD", "c2", "");
    agent.ask("ADD", "c3", "");
    List<String> before = states(agent);
    agent.restart();
    assertThat(states(agent)).isEqualTo(before);
    assertThat(agent.ask("ADD", "c1", "").address()).isEqualTo("10.0.0.1");
  }

  private static List<String> states(TestPoolAgent agent) {
    return agent.pools.all().stream().map(each -> each.cidr() + " " + each.state()).toList();
  }
}
