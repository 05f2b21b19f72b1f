package io.tidemark.provider.azure.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.network.BlockForm;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.OperationStatus.State;
import io.tidemark.resilience.Failure;
import io.tidemark.time.VirtualTime;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The door to Azure Resource Manager, on the emulator")
class PipelineArmApiTest {
  private static final String NODES =
      "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/nodes/providers";
  private static final ResourceId SET =
      ResourceId.of(NODES + "/Microsoft.Compute/virtualMachineScaleSets/pool-a");
  private static final ResourceId INSTANCE = ResourceId.of(SET + "/virtualMachines/0");
  private static final ResourceId NIC =
      ResourceId.of(NODES + "/Microsoft.Network/networkInterfaces/worker-a-eth0");
  private static final ResourceId OTHER_INSTANCE =
      ResourceId.of(NODES + "/Microsoft.Compute/virtualMachineScaleSets/pool-a/virtualMachines/1");
  private static final ResourceId NETWORK =
      ResourceId.of(
          NODES.replace("/nodes/", "/network/") + "/Microsoft.Network/virtualNetworks/cluster");
  private static final Duration LASTS = Duration.ofSeconds(20);

  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private ArmEmulator azure =
      emulator(ModelOptions.builder(1).operation(DelayRange.fixed(LASTS)).build());
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

  private static ConfigurationChange add(String... names) {
    return new ConfigurationChange(
        "eth0",
        List.of(names).stream()
            .map(name -> new NewConfiguration(name, name.startsWith("block")))
            .toList(),
        Set.of());
  }

  private AzureNetworkInterface interfaceOf(ResourceId id) throws ArmFailure {
    return id.isUniformInstance()
        ? api.page(ArmList.interfacesOfInstance(id), Optional.empty()).items().get(0)
        : api.read(ArmRead.networkInterface(id));
  }

  private static ResourceId target(String what) {
    return what.equals("instance") ? INSTANCE : NIC;
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"interface", "instance"})
  @DisplayName("configurations are added and removed, and the operation tells when it is done")
  void write(String what) throws ArmFailure {
    ResourceId id = target(what);
    Written written = api.write(api.read(ArmRead.writable(id)), add("Tidemark-a", "Tidemark-b"));
    assertThat(written.ended()).isFalse();
    assertThat(api.operation(written, id).state()).isEqualTo(State.RUNNING);
    assertThat(api.read(ArmRead.writable(id)).provisioningState()).isEqualTo("updating");
    time.runUntil(LASTS.toNanos());
    assertThat(api.operation(written, id).state()).isEqualTo(State.SUCCEEDED);
    assertThat(interfaceOf(id).configurations())
        .extracting(IpConfiguration::name)
        .containsExactly("primary", "Tidemark-a", "Tidemark-b");
    assertThat(interfaceOf(id).configurations())
        .allMatch(each -> each.succeeded() && each.range().isPresent());
    api.write(
        api.read(ArmRead.writable(id)),
        new ConfigurationChange("eth0", List.of(), Set.of("Tidemark-a")));
    time.runUntil(2 * LASTS.toNanos());
    assertThat(interfaceOf(id).configurations())
        .extracting(IpConfiguration::name)
        .containsExactly("primary", "Tidemark-b");
  }

  @Test
  @DisplayName(
      "the body of an interface keeps what is not known; of an instance it has three sections")
  void bodies() throws ArmFailure {
    api.write(api.read(ArmRead.writable(NIC)), add("Tidemark-a"));
    api.write(api.read(ArmRead.writable(INSTANCE)), add("Tidemark-a"));
    List<HttpRequest> puts =
        transport.sent().stream().filter(each -> each.getHttpMethod() == HttpMethod.PUT).toList();
    assertThat(puts).allMatch(each -> each.getHeaders().getValue(HttpHeaderName.IF_MATCH) != null);
    String whole = puts.get(0).getBodyAsBinaryData().toString();
    assertThat(whole).contains("\"macAddress\"", "\"virtualMachine\"", "\"Tidemark-a\"");
    String sections = puts.get(1).getBodyAsBinaryData().toString();
    assertThat(sections)
        .startsWith("{\"location\":\"westeurope\",\"properties\":{\"hardwareProfile\":")
        .contains("\"networkProfileConfiguration\"")
        .doesNotContain("storageProfile", "instanceView", "vmId", "etag");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"interface", "instance"})
  @DisplayName("a write with an old etag is a conflict of kind etag, and changes nothing")
  void etag(String what) throws ArmFailure {
    ResourceId id = target(what);
    WritableResource old = api.read(ArmRead.writable(id));
    api.write(old, add("Tidemark-a"));
    time.runUntil(LASTS.toNanos());
    assertThat(failure(ArmOperation.INTERFACE_UPDATE, () -> api.write(old, add("Tidemark-b"))))
        .extracting(Failure::kind, Failure::condition)
        .containsExactly(Failure.Kind.CONFLICT, ArmCondition.ETAG);
    assertThat(interfaceOf(id).configurations()).hasSize(2);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(BlockForm.class)
  @DisplayName("a block is read in every form as the whole block")
  void blocks(BlockForm form) throws ArmFailure {
    use(ModelOptions.builder(1).blockForm(form).build());
    api.write(api.read(ArmRead.writable(NIC)), add("block-a"));
    Cidr block = interfaceOf(NIC).configurations().get(1).range().orElseThrow();
    assertThat(block.prefixLength()).isEqualTo(28);
    assertThat(block.network()).isEqualTo(Cidr.containing(block.network(), 28).network());
  }

  @Test
  @DisplayName("lists come page by page, each with one request")
  void pages() throws ArmFailure {
    use(ModelOptions.builder(1).pageSize(1).build());
    AzurePage<AzureNetworkInterface> first =
        api.page(ArmList.interfacesOfSet(SET), Optional.empty());
    AzurePage<AzureNetworkInterface> second = api.page(ArmList.interfacesOfSet(SET), first.next());
    assertThat(first.items()).hasSize(1);
    assertThat(second.items()).hasSize(1).isNotEqualTo(first.items());
    assertThat(second.next()).isEmpty();
    assertThat(transport.sent()).hasSize(2);
    assertThat(api.page(ArmList.interfacesOfGroup(NIC), Optional.empty()).items()).hasSize(1);
  }

  @Test
  @DisplayName("a subnet has its blocks less five, and its usages are those that Azure counts")
  void subnets() throws ArmFailure {
    AzureSubnet subnet = api.read(ArmRead.subnet(ResourceId.of(NETWORK + "/subnets/nodes")));
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
    assertThat(api.read(ArmRead.writable(INSTANCE)).power()).contains("running");
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
        List.of(
            ArmFault.every("VirtualMachineScaleSetVMs.Update", ArmFault.Kind.FAIL)
                .withError(
                    ArmError.of(429, "OperationNotAllowed", "x")
                        .because("TooManyRequests", "y")
                        .after(Duration.ofSeconds(17)))));
    WritableResource base = api.read(ArmRead.writable(INSTANCE));
    WritableResource other = api.read(ArmRead.writable(OTHER_INSTANCE));
    assertThat(throttled(base)).isEqualTo("THROTTLED instanceThrottled");
    assertThat(throttled(base)).isEqualTo("THROTTLED instanceThrottled");
    assertThat(throttled(other)).isEqualTo("THROTTLED providerThrottled");
    assertThat(throttled(base)).isEqualTo("THROTTLED providerThrottled");
    assertThat(throttled(base)).as("asked often").isEqualTo("CONFLICT instanceThrottled");
    time.runUntil(Duration.ofMinutes(2).toNanos());
    assertThat(throttled(other)).isEqualTo("THROTTLED instanceThrottled");
  }

  @Test
  @DisplayName("an operation that failed tells the innermost error, one that is gone a 404")
  void failedOperation() throws ArmFailure {
    use(
        ModelOptions.builder(1)
            .operation(DelayRange.fixed(LASTS))
            .operationExpiry(Duration.ofMinutes(1))
            .build());
    azure.faults(
        List.of(
            ArmFault.every("Interfaces.CreateOrUpdate", ArmFault.Kind.FAIL_OPERATION)
                .withError(ArmError.of(409, "Outer", "o").because("Inner", "i"))));
    Written written = api.write(api.read(ArmRead.writable(NIC)), add("Tidemark-a"));
    time.runUntil(LASTS.toNanos());
    OperationStatus ended = api.operation(written, NIC);
    assertThat(ended.state()).isEqualTo(State.FAILED);
    assertThat(ended.failure().orElseThrow().detail()).contains("Inner: ");
    time.runUntil(Duration.ofMinutes(5).toNanos());
    assertThat(failure(ArmOperation.OPERATION_GET, () -> api.operation(written, NIC)).kind())
        .isEqualTo(Failure.Kind.NOT_FOUND);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(ModelOptions.Announcement.class)
  @DisplayName("Z17 an accepted write is waited for, whichever header names its operation")
  void announcements(ModelOptions.Announcement how) throws ArmFailure {
    use(ModelOptions.builder(1).operation(DelayRange.fixed(LASTS)).announcement(how).build());
    Written written = api.write(api.read(ArmRead.writable(NIC)), add("Tidemark-a"));
    assertThat(written.ended()).isFalse();
    assertThat(written.foreign()).isFalse();
    if (how == ModelOptions.Announcement.NONE) {
      assertThat(written.operation()).isEmpty();
    } else {
      assertThat(api.operation(written, NIC).state()).isEqualTo(State.RUNNING);
      time.runUntil(LASTS.toNanos());
      assertThat(api.operation(written, NIC).state()).isEqualTo(State.SUCCEEDED);
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = ArmFault.Kind.class,
      names = {"LOSE_ANSWER", "HANG", "HTML", "TRUNCATE", "LOSE_REQUEST"})
  @DisplayName("a response that does not arrive or is none leaves a write in doubt, a read not")
  void lost(ArmFault.Kind kind) throws ArmFailure {
    WritableResource base = api.read(ArmRead.writable(NIC));
    azure.faults(List.of(ArmFault.every("*", kind)));
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
    azure.faults(List.of(ArmFault.every("Operations.Get", ArmFault.Kind.LOSE_ANSWER)));
    Written written = api.write(api.read(ArmRead.writable(NIC)), add("Tidemark-a"));
    Failure lost = failure(ArmOperation.OPERATION_GET, () -> api.operation(written, NIC));
    assertThat(lost.detail()).doesNotContain("static-door", "&s=");
    assertThat(transport.sent())
        .allMatch(each -> each.getUrl().getHost().equals("management.azure.com"));
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
}
