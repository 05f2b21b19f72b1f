package io.tidemark.provider.azure.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.gate.Access.Role;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.time.VirtualTime;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The requests of the checkup through the door (C15)")
class CheckupRequestsTest {
  private static final String GROUP =
      "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/nodes";
  private static final ResourceId INSTANCE =
      ResourceId.of(
          GROUP + "/providers/Microsoft.Compute/virtualMachineScaleSets/pool-a/virtualMachines/0");
  private static final ResourceId MACHINE =
      ResourceId.of(GROUP + "/providers/Microsoft.Compute/virtualMachines/worker-a");
  private static final String NETWORK =
      GROUP.replace("/nodes", "/network") + "/providers/Microsoft.Network/";
  private static final String SUBNET = NETWORK + "virtualNetworks/cluster/subnets/nodes";

  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private final ArmEmulator azure =
      ArmEmulator.in(
          time, ArmScenarioYaml.example().withOptions(ModelOptions.builder(1).pageSize(1).build()));
  private final EmulatorTransport transport = new EmulatorTransport(azure.handler());
  private final ArmApi api =
      ArmDoors.api(
          transport, URI.create("https://management.azure.com/"), () -> "static-door", time);

  @Test
  @DisplayName("permissions come page by page, one element for each role at or above the scope")
  void permissions() throws ArmFailure {
    azure
        .handler()
        .use(
            model -> {
              model
                  .access()
                  .setRoles(
                      List.of(
                          new Role("door", "/", List.of("*/read"), List.of("*/usages/read")),
                          new Role("door", GROUP, List.of("a/write"), List.of()),
                          new Role("other", "/", List.of("*"), List.of())));
              return model;
            });
    AzurePage<Grant> first = api.page(ArmList.permissions(GROUP), Optional.empty());
    AzurePage<Grant> second = api.page(ArmList.permissions(GROUP), first.next());
    assertThat(first.items())
        .containsExactly(new Grant(List.of("*/read"), List.of("*/usages/read")));
    assertThat(second.items()).containsExactly(new Grant(List.of("a/write"), List.of()));
    assertThat(second.next()).isEmpty();
    assertThat(api.page(ArmList.permissions(SUBNET), Optional.empty()).next()).isEmpty();
    assertThat(transport.sent().get(0).getUrl())
        .hasPath(GROUP + "/providers/Microsoft.Authorization/permissions")
        .hasQuery("api-version=2022-04-01");
  }

  @ParameterizedTest(name = "{0} less {1} and {2}: {3}")
  @CsvSource({
    "*, '', N/a/read, true",
    "*/READ, '', N/a/read, true",
    "*/read, '', N/a/write, false",
    "N/*/read, '', N/a/b/read, true",
    "N/a.read, '', N/a/read, false",
    "*, n/A/*, N/a/read, false",
    "*, N/b/*, N/a/read, true",
    "'', '', N/a/read, false"
  })
  @DisplayName("an action is granted by what covers it in any case and is not left out")
  void grants(String actions, String notActions, String action, boolean granted) {
    assertThat(new Grant(List.of(actions), List.of(notActions)).allows(action)).isEqualTo(granted);
  }

  @Test
  @DisplayName("the interfaces of a set and of a group show what they name, and whose they are")
  void links() throws ArmFailure {
    Document pool = Document.reference(NETWORK + "loadBalancers/lb/backendAddressPools/p");
    Document group = Document.reference(NETWORK + "applicationSecurityGroups/asg");
    Document security = Document.reference(NETWORK + "networkSecurityGroups/nsg");
    azure.change(
        owner ->
            owner.addInterface(
                GROUP + "/providers/Microsoft.Network/networkInterfaces/a-second",
                MACHINE.text(),
                List.of(
                    Document.of("name", "primary")
                        .with(
                            "properties",
                            Document.of("subnet", Document.reference(SUBNET))
                                .with("primary", true)
                                .with("applicationSecurityGroups", List.of(group))
                                .with("loadBalancerBackendAddressPools", List.of(pool)))),
                Document.of("networkSecurityGroup", security)));
    InterfaceLinks first = api.page(ArmList.links(MACHINE), Optional.empty()).items().get(0);
    assertThat(first.machine()).contains(MACHINE);
    assertThat(first.linked())
        .extracting(each -> LinkedType.of(each).orElseThrow())
        .containsExactlyInAnyOrder(
            LinkedType.SUBNET,
            LinkedType.SECURITY_GROUP,
            LinkedType.APPLICATION_SECURITY_GROUP,
            LinkedType.LOAD_BALANCER_POOL);
    AzurePage<InterfaceLinks> set = api.page(ArmList.links(INSTANCE), Optional.empty());
    assertThat(set.items())
        .singleElement()
        .extracting(InterfaceLinks::machine)
        .isEqualTo(Optional.of(INSTANCE));
    assertThat(set.items().get(0).linked()).containsExactly(ResourceId.of(SUBNET));
    assertThat(api.page(ArmList.links(INSTANCE), set.next()).items())
        .hasSize(1)
        .isNotEqualTo(set.items());
  }

  @Test
  @DisplayName("the endpoint is asked without a token, and a refusal is an answer with its time")
  void endpoint() throws ArmFailure {
    AzureEndpointAnswer answer = api.endpoint();
    assertThat(answer.ofResourceManager()).isTrue();
    assertThat(answer.skew().orElseThrow()).isLessThan(Duration.ofSeconds(1));
    HttpRequest sent = transport.sent().get(0);
    assertThat(sent.getHeaders().getValue(HttpHeaderName.AUTHORIZATION)).isNull();
    azure.faults(List.of(ArmFault.every("*", ArmFault.Kind.HTML)));
    assertThat(api.endpoint().ofResourceManager()).isFalse();
    assertThat(api.endpoint().detail()).startsWith("status 200").contains("proxy");
  }

  @ParameterizedTest(name = "{1} and {2} with status {0}: {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          401 | id | {"error":{"code":"AuthenticationFailed"}} | true
          200 | id | {"value":[]}                              | true
          200 |    | {"value":[]}                              | false
          200 | id | {"status":"up"}                           | false
          502 | id | <html>                                    | false
          """)
  @DisplayName("only what has a request id and Azure's JSON is Resource Manager")
  void endpointForms(int status, String requestId, String body, boolean ofResourceManager) {
    AzureEndpointAnswer answer =
        AzureEndpointAnswer.of(
            status,
            Optional.ofNullable(requestId),
            body,
            Optional.of("Tue, 14 Nov 2023 22:13:20 GMT"),
            Instant.ofEpochSecond(1_700_000_100));
    assertThat(answer.ofResourceManager()).isEqualTo(ofResourceManager);
    assertThat(answer.skew()).contains(Duration.ofSeconds(-100));
    assertThat(
            AzureEndpointAnswer.of(
                    status,
                    Optional.ofNullable(requestId),
                    body,
                    Optional.of("yesterday"),
                    Instant.EPOCH)
                .skew())
        .isEmpty();
  }
}
