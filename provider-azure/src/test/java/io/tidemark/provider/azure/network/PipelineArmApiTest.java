package io.tidemark.provider.azure.network;

import static io.tidemark.provider.azure.network.ArmSamples.NETWORK;
import static io.tidemark.provider.azure.network.ArmSamples.NIC;
import static io.tidemark.provider.azure.network.ArmSamples.NODES;
import static io.tidemark.provider.azure.network.ArmSamples.SET;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.resilience.Failure;
import io.tidemark.time.VirtualTime;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The door to Azure Resource Manager, on the emulator")
class PipelineArmApiTest {
  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private ArmEmulator azure =
      emulator(ModelOptions.builder(1).operation(DelayRange.fixed(Duration.ofSeconds(20))).build());
  private EmulatorTransport transport = new EmulatorTransport(azure.handler());
  private ArmApi api = api();

  private ArmEmulator emulator(ModelOptions options) {
    return ArmEmulator.in(time, ArmScenarioYaml.example().withOptions(options));
  }

  private ArmApi api() {
    return ArmDoors.api(
        transport, URI.create("https://management.azure.com/"), () -> "static-door", time);
  }

  private void use(ModelOptions options) {
    azure = emulator(options);
    transport = new EmulatorTransport(azure.handler());
    api = api();
  }

  private static ConfigurationChange add(String name) {
    return new ConfigurationChange("eth0", List.of(new NewConfiguration(name, false)), Set.of());
  }

  @Test
  @DisplayName("a subnet has its blocks less five, and its usages are those that Azure counts")
  void subnets() throws ArmFailure {
    AzureSubnet subnet = api.read(ArmRead.subnet(ArmSamples.SUBNET));
    assertThat(subnet.size()).isEqualTo(4091);
    assertThat(subnet.configurations()).hasValue(4);
    assertThat(api.page(ArmList.usages(NETWORK), Optional.empty()).items())
        .singleElement()
        .satisfies(
            usage -> {
              assertThat(usage.limit()).isEqualTo(4091);
              assertThat(usage.used()).isEqualTo(4);
            });
  }

  @Test
  @DisplayName("the power state of an instance is read with its model")
  void power() throws ArmFailure {
    assertThat(api.read(ArmRead.writable(ArmSamples.INSTANCE)).power()).contains("running");
    assertThat(api.read(ArmRead.writable(NIC)).power()).isEmpty();
  }

  private String throttled(WritableResource base) {
    Failure failure = failure(ArmOperation.INSTANCE_UPDATE, () -> api.write(base, add("a")));
    assertThat(failure.retryAfter()).contains(Duration.ofSeconds(17));
    return failure.kind() + " " + failure.condition();
  }

  @Test
  @DisplayName("a 429 of the compute provider is the machine's own until another one gets it")
  void machineThrottle() throws ArmFailure {
    azure.faults(
        ArmFault.every("VirtualMachineScaleSetVMs.Update", ArmFault.Kind.FAIL)
            .withError(
                ArmError.of(429, "OperationNotAllowed", "x")
                    .because("TooManyRequests", "y")
                    .after(Duration.ofSeconds(17))));
    WritableResource base = api.read(ArmRead.writable(ArmSamples.INSTANCE));
    WritableResource other = api.read(ArmRead.writable(ResourceId.of(SET + "/virtualMachines/1")));
    assertThat(throttled(base)).isEqualTo("THROTTLED instanceThrottled");
    assertThat(throttled(base)).isEqualTo("THROTTLED instanceThrottled");
    assertThat(throttled(other)).isEqualTo("THROTTLED providerThrottled");
    assertThat(throttled(base)).isEqualTo("THROTTLED providerThrottled");
    assertThat(throttled(base)).as("asked often").isEqualTo("CONFLICT instanceThrottled");
    time.runUntil(Duration.ofMinutes(2).toNanos());
    assertThat(throttled(other)).isEqualTo("THROTTLED instanceThrottled");
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = ArmFault.Kind.class,
      names = {"LOSE_ANSWER", "HANG", "HTML", "TRUNCATE", "LOSE_REQUEST"})
  @DisplayName("a response that does not arrive or is none leaves a write in doubt, a read not")
  void lost(ArmFault.Kind kind) throws ArmFailure {
    WritableResource base = api.read(ArmRead.writable(NIC));
    azure.faults(ArmFault.every("*", kind));
    assertThat(
            failure(ArmOperation.INTERFACE_GET, () -> api.read(ArmRead.networkInterface(NIC)))
                .kind())
        .isEqualTo(Failure.Kind.TRANSIENT);
    if (kind != ArmFault.Kind.HTML && kind != ArmFault.Kind.TRUNCATE) {
      assertThat(
              failure(ArmOperation.INTERFACE_UPDATE, () -> api.write(base, add("Tidemark-a")))
                  .kind())
          .isEqualTo(Failure.Kind.LOST);
    }
  }

  @Test
  @DisplayName("no request goes to another host, and no failure shows a token or a query")
  void foreignAddresses() throws ArmFailure {
    azure.faults(ArmFault.every("Operations.Get", ArmFault.Kind.LOSE_ANSWER));
    Written written = api.write(api.read(ArmRead.writable(NIC)), add("Tidemark-a"));
    Failure lost = failure(ArmOperation.OPERATION_GET, () -> api.operation(written, NIC));
    assertThat(lost.detail()).doesNotContain("static-door", "&s=");
    assertThat(transport.sent())
        .allMatch(each -> each.getUrl().getHost().equals("management.azure.com"));
  }

  @Test
  @DisplayName("prefixes come page by page, with what an address of them must say")
  void publicPrefixes() throws ArmFailure {
    use(ModelOptions.builder(1).pageSize(1).build());
    String id = NODES + "/Microsoft.Network/publicIPPrefixes/zonal";
    Document labels =
        Document.of("tags", Document.of("use", "other")).with("zones", List.of("1", "2"));
    azure.change(
        owner -> {
          owner.addPublicPrefix(id, "westeurope", Cidr.parse("198.51.100.0/31"), labels, 1);
          owner.setPrefixState(id, "Updating");
        });
    AzurePage<PublicPrefix> first = api.page(ArmList.publicPrefixes(NIC), Optional.empty());
    AzurePage<PublicPrefix> second = api.page(ArmList.publicPrefixes(NIC), first.next());
    PublicPrefix egress = first.items().get(0);
    assertThat(egress.tags()).isEqualTo(Map.of("use", "egress"));
    assertThat(egress.free()).isEqualTo(4);
    assertThat(egress.state()).isEqualTo("succeeded");
    assertThat(egress.zones()).isEmpty();
    PublicPrefix zonal = second.items().get(0);
    assertThat(zonal.zones()).containsExactly("1", "2");
    assertThat(zonal.free()).isEqualTo(1);
    assertThat(zonal.state()).isEqualTo("updating");
    assertThat(second.next()).isEmpty();
    api.createPublicAddress(
        ResourceId.of(NODES + "/Microsoft.Network/publicIPAddresses/own"), zonal);
    assertThat(transport.sent().get(2).getBodyAsBinaryData().toString())
        .contains("\"zones\":[\"1\",\"2\"]", "\"deleteOption\":\"Delete\"");
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
    assertThat(new GrantJson(List.of(actions), List.of(notActions)).allows(action))
        .isEqualTo(granted);
  }

  @Test
  @DisplayName("the endpoint is asked without a token, and a refusal is an answer with its time")
  void endpoint() throws ArmFailure {
    AzureEndpointAnswer answer = api.endpoint();
    assertThat(answer.ofResourceManager()).isTrue();
    assertThat(answer.skew().orElseThrow()).isLessThan(Duration.ofSeconds(1));
    HttpRequest sent = transport.sent().get(0);
    assertThat(sent.getHeaders().getValue(HttpHeaderName.AUTHORIZATION)).isNull();
    azure.faults(ArmFault.every("*", ArmFault.Kind.HTML));
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

  /** A request that must fail. */
  @FunctionalInterface
  private interface Request {
    void send() throws ArmFailure;
  }

  private static Failure failure(ArmOperation operation, Request request) {
    try {
      request.send();
    } catch (ArmFailure failure) {
      return new ArmErrorClassifier().classify(operation.kind(), failure);
    }
    throw new AssertionError("the request did not fail");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a b      | a%20b
          a%b      | a%25b
          a?x=1    | a%3Fx%3D1
          a#b      | a%23b
          (a)_b.c-d| (a)_b.c-d
          größe    | gr%C3%B6%C3%9Fe
          a{b}     | a%7Bb%7D
          a@b      | a%40b
          """)
  @DisplayName("AZ-N10 a name stays in its place of the path, whatever its characters are")
  void encoded(String group, String expected) {
    List<String> urls = new ArrayList<>();
    BlockingConnection nowhere =
        (request, context) -> {
          urls.add(request.getUrl().toString());
          return EmulatorTransport.response(request, 404, "{}");
        };
    ArmApi elsewhere =
        ArmDoors.api(nowhere, URI.create(ArmDoors.ORIGIN), () -> "static-door", time);
    ResourceId id =
        ResourceId.of(
            "/subscriptions/s/resourceGroups/"
                + group
                + "/providers/Microsoft.Network/networkInterfaces/n");
    try {
      elsewhere.read(ArmRead.networkInterface(id));
    } catch (ArmFailure notFound) {
      assertThat(notFound.status()).isEqualTo(404);
    }
    assertThat(urls)
        .singleElement()
        .asString()
        .startsWith(
            "https://management.azure.com/subscriptions/s/resourceGroups/"
                + expected
                + "/providers/Microsoft.Network/networkInterfaces/n?api-version=");
  }

  @Test
  @DisplayName(
      "Z10 the remaining requests of each bucket are reported, per policy of the compute provider")
  void remaining() throws ArmFailure {
    use(ModelOptions.builder(1).throttling(true).build());
    Map<String, Long> told = new TreeMap<>();
    ArmApi counted =
        new PipelineArmApi(
            new HttpPipelineBuilder()
                .httpClient(transport)
                .policies(new RemainingRequests(told::put))
                .build(),
            URI.create(ArmDoors.ORIGIN),
            () -> "static-provider",
            time,
            false);
    counted.read(ArmRead.writable(ArmSamples.INSTANCE));
    assertThat(told).containsKey("subscription-global-reads");
    assertThat(told.keySet()).anyMatch(each -> each.startsWith("Microsoft.Compute/"));
    long before = told.getOrDefault("subscription-global-reads", 0L);
    counted.read(ArmRead.writable(ArmSamples.INSTANCE));
    assertThat(told).containsEntry("subscription-global-reads", before - 1);
  }

  @Test
  @DisplayName("Z10 it is left out where it is no number or no name, and where there are too many")
  void oddRemaining() {
    Map<String, Long> told = new TreeMap<>();
    RemainingRequests way = new RemainingRequests(told::put);
    way.tell("subscription-reads", "many");
    way.tell("subscription-reads", "-1");
    way.tell("resource", "A b;5,;7,Microsoft.Compute/X;12,Microsoft.Compute/Y;");
    assertThat(told).containsExactly(Map.entry("Microsoft.Compute/X", 12L));
    for (int i = 0; i < 1_000; i++) {
      way.tell("bucket-" + i, "1");
    }
    assertThat(told).hasSize(64);
  }
}
