package io.tidemark.emulator.arm.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.network.BlockForm;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.emulator.kit.scenario.TreeYaml.Reading;
import io.tidemark.error.IpamException;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Scenarios of the Azure emulator")
class ScenarioYamlTest {
  private static final String NETS =
      "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks";
  private static final String SETS =
      "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets";

  private static ArmScenario scenario(String text) {
    Reading<ArmScenario> reading = ArmScenarioYaml.read("a.yaml", text);
    assertThat(reading.problems()).isEmpty();
    return reading.scenario().orElseThrow();
  }

  @Test
  @DisplayName("the example makes two Uniform instances, a Flexible member and a machine")
  void example() {
    ArmEmulator emulator = ArmEmulator.in(new VirtualTime(0), ArmScenarioYaml.example());
    List<Document> interfaces =
        emulator.handler().use(model -> model.state().objects("interfaces"));
    assertThat(interfaces)
        .extracting(each -> each.text("id").orElseThrow().replaceAll(".*/providers/", ""))
        .containsExactly(
            "Microsoft.Compute/virtualMachineScaleSets/pool-a/virtualMachines/0/networkInterfaces/eth0",
            "Microsoft.Compute/virtualMachineScaleSets/pool-a/virtualMachines/1/networkInterfaces/eth0",
            "Microsoft.Network/networkInterfaces/pool-b_0-eth0",
            "Microsoft.Network/networkInterfaces/worker-a-eth0");
  }

  @Test
  @DisplayName("every option of the behaviour is read")
  void behaviour() {
    ArmScenario read =
        scenario(
            """
            seed: 9
            throttling: false
            behaviour:
              latency: 10ms..20ms
              operation: 5s
              operation-polls: 2
              operation-expiry: 1h
              retry-after: 7s
              announcement: location
              busy: preempt
              list-lag: 1s
              mac-delay: 2s
              reuse-delay: 8m
              block-form: host-bits
              page-size: 3
              token-life: 10m
            """);
    assertThat(read.options())
        .isEqualTo(
            ModelOptions.builder(9)
                .latency(new DelayRange(Duration.ofMillis(10), Duration.ofMillis(20)))
                .operation(DelayRange.fixed(Duration.ofSeconds(5)))
                .operationPolls(2)
                .operationExpiry(Duration.ofHours(1))
                .retryAfter(Duration.ofSeconds(7))
                .announcement(ModelOptions.Announcement.LOCATION)
                .busy(ModelOptions.Busy.PREEMPT)
                .listLag(DelayRange.fixed(Duration.ofSeconds(1)))
                .macDelay(DelayRange.fixed(Duration.ofSeconds(2)))
                .reuseDelay(Duration.ofMinutes(8))
                .blockForm(BlockForm.HOST_BITS)
                .pageSize(3)
                .tokenLife(Duration.ofMinutes(10))
                .build());
  }

  @Test
  @DisplayName("roles, locks, faults and the metadata are read")
  void access() {
    ArmScenario read =
        scenario(
            """
            roles:
              - {principal: p, scope: /subscriptions/s, actions: ["*/read"], not-actions: [a/read]}
            locks: [/subscriptions/s/resourceGroups/g]
            faults:
              - {operation: Interfaces.Get, on: VM-1, kind: lose-answer, probability: 0.5, skip: 1, times: 2}
            metadata: {subscription: s, environment: AzureChinaCloud}
            """);
    assertThat(read.roles()).hasSize(1);
    assertThat(read.roles().get(0).notActions()).containsExactly("a/read");
    assertThat(read.locks()).containsExactly("/subscriptions/s/resourceGroups/g");
    assertThat(read.faults())
        .containsExactly(
            ArmFault.every("Interfaces.Get", ArmFault.Kind.LOSE_ANSWER)
                .on("vm-1")
                .withProbability(0.5)
                .window(1, 2));
    assertThat(read.machine().environment()).isEqualTo("AzureChinaCloud");
    assertThat(read.machine().location()).isEqualTo("westeurope");
  }

  @Test
  @DisplayName("a public prefix is read with its tags, its zones and what is used of it")
  void publicPrefixes() {
    ArmScenario read =
        scenario(
            """
            public-prefixes:
              - id: /subscriptions/s/resourceGroups/g/providers/Microsoft.Network/publicIPPrefixes/p
                prefix: 203.0.113.0/30
                tags: {use: egress}
                zones: [1, 2]
                used: 3
            """);
    Document state = ArmEmulator.in(new VirtualTime(0), read).handler().use(model -> model.state());
    assertThat(state.objects("publicPrefixes"))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.text("prefix")).contains("203.0.113.0/30");
              assertThat(each.number("used")).contains(3);
            });
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "seed: x                                      | seed is 'x'",
        "colour: red                                  | colour is unknown",
        "behaviour: {busy: never}                     | behaviour.busy is 'never'",
        "behaviour: {operation: soon}                 | behaviour.operation is 'soon'",
        "behaviour: {retry-after: 1s..2s}             | behaviour.retry-after is '1s..2s'",
        "behaviour: {page-size: 0}                    | behaviour.page-size is '0'",
        "networks: [{id: net}]                        | networks[0].id is 'net'",
        "networks: [{}]                               | networks[0].id is missing",
        "scale-sets: [{orchestration: Round}]         | scale-sets[0].orchestration is 'Round'",
        "faults: [{kind: explode}]                    | faults[0].kind is 'explode'",
        "faults: [{kind: fail, operation: X.Y}]       | faults[0].operation is 'X.Y'",
        "public-prefixes: [{prefix: 1.0.0.0/8}]       | public-prefixes[0].prefix is '1.0.0.0/8'",
        "public-prefixes: [{}]                        | public-prefixes[0].prefix is missing",
        "locks: [here]                                | locks[0] is 'here'",
        "roles: [{principal: p}]                      | roles[0].actions is empty",
        "machines: [{interfaces: []}]                 | machines[0].interfaces is empty",
        "machines: [{interfaces: [{name: eth 0}]}]    | interfaces[0].name is 'eth 0'",
        "networks: [{subnets: [{name: a/b}]}]         | networks[0].subnets[0].name is 'a/b'",
        "faults: [{kind: fail, retry-after: soon}]    | faults[0].retry-after is 'soon'",
        "behaviour: {operation-polls: 2, announcement: none} | behaviour.operation-polls ends",
        "[]                                           | is a list",
      })
  @DisplayName("a problem is told with its place and value")
  void problems(String text, String problem) {
    Reading<ArmScenario> reading = ArmScenarioYaml.read("a.yaml", text);
    assertThat(reading.scenario()).isEmpty();
    assertThat(reading.problems()).anyMatch(each -> each.toString().contains(problem));
    assertThat(reading.problems()).allMatch(each -> each.toString().startsWith("a.yaml:1"));
  }

  @Test
  @DisplayName("what Azure refuses is told with its place, and nothing is made")
  void refused() {
    String text =
        """
        networks:
          - id: %s/net
            subnets:
              - {name: small, prefixes: [10.0.0.0/29]}
        scale-sets:
          - id: %s/set
            instances: 4
            interfaces: [{name: eth0, subnet: %s/net/subnets/small}]
          - id: %s/other
            instances: 1
            interfaces: [{name: eth0, subnet: %s/net/subnets/none}]
        """
            .formatted(NETS, SETS, NETS, SETS, NETS);
    ArmScenario read = scenario(text);
    assertThatThrownBy(() -> ArmEmulator.in(new VirtualTime(0), read))
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("a.yaml:6: scale-sets[0] Azure refuses it: Subnet")
        .hasMessageContaining("a.yaml:9: scale-sets[1] Azure refuses it: Resource")
        .message()
        .as("two of the four instances do not fit")
        .containsOnlyOnce("a.yaml:6")
        .doesNotContain("..");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{name: a, prefixes: [10.0.0.0/30]}                | block 10.0.0.0/30; a block is a /29",
        "{name: a, prefixes: [fd00::/63]}                  | block fd00::/63; a block is a /29",
        "{name: a, prefixes: [10.0.0.0/24, 10.0.0.0/25]}   | overlaps with 10.0.0.0/24",
        "{name: nodes, prefixes: [10.1.0.0/24]}            | There is a resource",
        "{name: a, prefixes: [10.9.0.128/25]}              | overlaps with 10.9.0.0/24",
        "{name: a, prefixes: [10.1.0.0/29], used: 4}       | has 3 addresses, not 4",
      })
  @DisplayName("a subnet that Azure would not have is told with its place")
  void subnets(String subnet, String problem) {
    ArmScenario read =
        scenario(
            """
            networks:
              - id: %s/net
                subnets:
                  - {name: nodes, prefixes: [10.9.0.0/24]}
                  - %s
            """
                .formatted(NETS, subnet));
    assertThatThrownBy(() -> ArmEmulator.in(new VirtualTime(0), read))
        .hasMessageContaining("a.yaml:5: networks[0].subnets[1] Azure refuses it: ")
        .hasMessageContaining(problem);
  }

  @Test
  @DisplayName("what is made twice is told with its second place")
  void twice() {
    String text =
        """
        networks:
          - {id: NETS/net, subnets: [{name: nodes, prefixes: [10.9.0.0/24]}]}
          - id: NETS/net
        scale-sets:
          - {id: SETS/set, interfaces: [{name: eth0, subnet: NETS/net/subnets/nodes}]}
          - {id: SETS/SET, interfaces: [{name: eth0, subnet: NETS/net/subnets/nodes}]}
        machines:
          - id: MACHINES/m
            interfaces:
              - {name: eth0, subnet: NETS/net/subnets/nodes}
              - {name: eth0, subnet: NETS/net/subnets/nodes}
          - {id: MACHINES/m, interfaces: [{name: x, subnet: NETS/net/subnets/nodes}]}
        """
            .replace("NETS", NETS)
            .replace("SETS", SETS)
            .replace("MACHINES", SETS.replace("virtualMachineScaleSets", "virtualMachines"));
    ArmScenario read = scenario(text);
    assertThatThrownBy(() -> ArmEmulator.in(new VirtualTime(0), read))
        .hasMessageContaining("a.yaml:3: networks[1] Azure refuses it: There is a resource")
        .hasMessageContaining("a.yaml:6: scale-sets[1] Azure refuses it: There is a resource")
        .hasMessageContaining("a.yaml:8: machines[0] Azure refuses it: There is a resource")
        .hasMessageContaining("a.yaml:12: machines[1] Azure refuses it: There is a resource");
  }

  @Test
  @DisplayName("options of a command line win")
  void commandLine() {
    ModelOptions options = scenario("seed: 1").options();
    assertThat(options.throttling()).isTrue();
    assertThat(options.with(Optional.of(5L), true)).isEqualTo(ModelOptions.builder(5).build());
    assertThat(List.of(options.with(Optional.empty(), false))).containsExactly(options);
  }
}
