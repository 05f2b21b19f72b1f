package io.tidemark.provider.azure.ipam;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Power;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.ArmCallLimits;
import io.tidemark.provider.azure.network.ArmDoors;
import io.tidemark.provider.azure.network.EmulatorTransport;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.contract.ContractCloud;
import io.tidemark.spi.contract.NodeShape;
import io.tidemark.testing.Samples;
import io.tidemark.time.VirtualTime;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The emulated Azure as the contract sees it: one virtual network, machines of one form, and no
 * buckets; an operation takes some seconds.
 */
final class AzureContractCloud implements ContractCloud {
  static final String ENDPOINT = "https://management.azure.com";

  private static final Duration OPERATION = Duration.ofSeconds(4);
  private static final Set<String> CHANGES =
      Set.of(
          "Interfaces.CreateOrUpdate",
          "VirtualMachineScaleSetVMs.Update",
          "PublicIPAddresses.CreateOrUpdate");

  /** Every resync reads everything, and reads lag so far as the contract says. */
  static final AzureSettings SETTINGS =
      AzureSettingsSample.alwaysDue(
          "consistency-horizon", "20s", "azure-blocks-on-scale-sets", "true");

  private final VirtualTime time;
  private final boolean uniform;
  private final ArmEmulator azure;
  private final ContractResources resources;
  private Duration lag = Duration.ZERO;

  /**
   * An Azure without resources.
   *
   * @param uniform whether machines are instances of Uniform sets
   * @param options to begin with
   */
  AzureContractCloud(VirtualTime time, boolean uniform, ModelOptions.Builder options) {
    this.time = time;
    this.uniform = uniform;
    this.azure =
        ArmEmulator.in(
            time,
            options
                .operation(DelayRange.fixed(OPERATION))
                .listLag(DelayRange.upTo(LAG_MAX))
                .build());
    azure.listsBehind(Optional.of(Duration.ZERO));
    this.resources = new ContractResources(azure, time);
  }

  /** The emulator behind it. */
  ArmEmulator azure() {
    return azure;
  }

  @Override
  public AllocationImplementation provider(ProviderContext context) {
    AccessTokens tokens =
        new AccessTokens(
            context.calls().create(AccessTokens.policy("authority")),
            context.scheduler(),
            this::token,
            new Cancellation());
    ArmApi api =
        ArmDoors.api(
            new EmulatorTransport(azure.handler()),
            URI.create(ENDPOINT),
            tokens::now,
            time,
            SETTINGS.blocksOnScaleSets());
    return new AzureAllocation(
        new AzureAccount(
            () -> api,
            context.calls().create(ArmCallLimits.of("azure/contract", 1)),
            tokens,
            SETTINGS,
            context.scheduler(),
            context.random(),
            context.metrics(),
            (code, detail) -> {}),
        () -> {});
  }

  private AccessTokens.Token token() {
    String text = azure.handler().use(model -> model.giveToken("provider", azure.handler().now()));
    return new AccessTokens.Token(text, time.epochMillis() + Duration.ofHours(1).toMillis());
  }

  @Override
  public void subnet(String id, Cidr cidr) {
    resources.addSubnet(id, cidr);
  }

  @Override
  public void securityGroup(String id, Map<String, String> tags) {
    // an interface has at most one, which comes with its machine
  }

  @Override
  public void publicAddress(IpAddress address, Map<String, String> tags) {
    resources.addPublicAddress(address, tags);
  }

  @Override
  public NodeResource launch(String node, NodeShape shape, String subnetId) {
    String machine =
        uniform ? resources.addInstance(subnetId) : resources.addMachine(node, subnetId);
    String nic = (uniform ? "" : node + "-") + ContractResources.NIC_NAME;
    // As agents do, which take the id from a text in which upper and lower case are mixed.
    return AzureSpecSampleJson.named(
        Samples.node(node).instanceId(machine.toLowerCase(Locale.ROOT)).build(), nic);
  }

  @Override
  public String unknownInstance() {
    String id =
        uniform
            ? "Microsoft.Compute/virtualMachineScaleSets/pool-subnet-a/virtualMachines/77"
            : "Microsoft.Compute/virtualMachines/unknown";
    return (AzureWorld.NODES + "/" + id).toLowerCase(Locale.ROOT);
  }

  @Override
  public int addresses(NodeShape shape) {
    return 255;
  }

  @Override
  public List<Capacity> capacities() {
    return List.of(
        new Capacity(false, false, false, 255),
        new Capacity(false, true, false, 1024),
        new Capacity(false, false, true, 255));
  }

  /** The first poll comes after ten seconds. */
  @Override
  public Duration changeTime() {
    return Duration.ofSeconds(12);
  }

  /** An instance takes four writes a minute. */
  @Override
  public Duration changePause() {
    return uniform ? Duration.ofSeconds(15) : Duration.ZERO;
  }

  /** Only lists lag; a virtual machine's interface is read by itself. */
  @Override
  public boolean confirmsByReading() {
    return uniform;
  }

  /** The compute provider refuses to change an instance that does not run; the network one not. */
  @Override
  public boolean addsWhileStopped() {
    return !uniform;
  }

  @Override
  public String withUnknownMembers(String json) {
    return json.replace(
            "\"azure\":{\"interfaces\":[{",
            "\"azure\":{\"x-azure\":1,\"interfaces\":[{\"x-interface\":[1.0],")
        .replace("\"subnet\":{", "\"subnet\":{\"x-subnet\":{},");
  }

  // ---- what others do

  @Override
  public void leaveFree(String subnetId, int left) {
    resources.leaveFree(subnetId, left);
  }

  @Override
  public void stop(String instanceId) {
    azure.change(owner -> owner.setPower(instanceId, Power.DEALLOCATED));
  }

  @Override
  public void restart(String instanceId) {
    azure.change(owner -> owner.setPower(instanceId, Power.RUNNING));
  }

  @Override
  public void terminate(String instanceId) {
    azure.change(owner -> owner.delete(instanceId));
  }

  @Override
  public void throttle(Set<String> operations) {
    azure.faults(
        operations.stream()
            .map(
                each ->
                    ArmFault.every(each, ArmFault.Kind.FAIL)
                        .withError(ArmError.of(429, "TooManyRequests", "Too many requests.")))
            .toArray(ArmFault[]::new));
  }

  @Override
  public void lag(Duration behind) {
    lag = behind;
    azure.listsBehind(Optional.of(behind));
  }

  // ---- what there is

  @Override
  public List<TrueInterface> interfaces(String instanceId) {
    azure.listsBehind(Optional.of(Duration.ZERO));
    try {
      return resources.interfaces(ResourceId.of(instanceId));
    } finally {
      azure.listsBehind(Optional.of(lag));
    }
  }

  @Override
  public int unattachedInterfaces() {
    return 0;
  }

  @Override
  public Map<String, Long> changes() {
    Map<String, Long> changes = new TreeMap<>();
    azure
        .handler()
        .use(model -> model.audit().counts())
        .forEach(
            (operation, count) -> {
              if (CHANGES.contains(operation)) {
                changes.put(operation, (long) count);
              }
            });
    return changes;
  }

  @Override
  public Set<String> changingOperations() {
    return CHANGES;
  }
}
