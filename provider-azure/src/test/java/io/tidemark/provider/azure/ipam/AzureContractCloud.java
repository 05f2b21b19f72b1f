package io.tidemark.provider.azure.ipam;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Power;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.error.ErrorCode;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.network.ArmCallLimits;
import io.tidemark.provider.azure.network.ArmFailure;
import io.tidemark.provider.azure.network.EmulatorTransport;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.NetworkInterface;
import io.tidemark.provider.azure.network.PipelineArmApi;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.RespellingTransport;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resource.AzureSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.contract.ContractCloud;
import io.tidemark.spi.contract.NodeShape;
import io.tidemark.testing.Samples;
import io.tidemark.time.VirtualTime;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The emulated Azure as the contract sees it: one virtual network, machines of one form, and no
 * buckets; an operation takes some seconds.
 */
final class AzureContractCloud implements ContractCloud {
  private static final String GROUP =
      "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/Nodes/providers/";
  private static final String NETWORK = GROUP + "Microsoft.Network/virtualNetworks/cluster";
  private static final String LOCATION = "westeurope";
  private static final String ENDPOINT = "https://management.azure.com";
  private static final String NIC_NAME = "eth0";
  private static final Duration OPERATION = Duration.ofSeconds(4);
  private static final Set<String> CHANGES =
      Set.of(
          "Interfaces.CreateOrUpdate",
          "VirtualMachineScaleSetVMs.Update",
          "PublicIPAddresses.CreateOrUpdate");

  /** Every resync reads everything, and reads lag so far as the contract says. */
  static final AzureSettings SETTINGS =
      new AzureSettings(
          LAG_MAX,
          Duration.ofMinutes(5),
          Duration.ofSeconds(5),
          Duration.ZERO,
          "Tidemark-",
          false,
          new AzureSettings.Release(false, Duration.ofMinutes(10)),
          true,
          0,
          new AzureSettings.Fence(Optional.empty(), Optional.empty()));

  private final VirtualTime time;
  private final boolean uniform;
  private final ArmEmulator azure;
  private final PipelineArmApi owner;
  private final Map<String, Cidr> subnets = new HashMap<>();
  private final Map<String, Integer> instances = new HashMap<>();
  private final Set<ErrorCode> reported = new HashSet<>();
  private AzureSettings settings = SETTINGS;
  private boolean respelled;
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
    azure.change(owner -> owner.addNetwork(NETWORK, LOCATION));
    this.owner =
        new PipelineArmApi(
            new EmulatorTransport(azure.handler()),
            URI.create(ENDPOINT),
            () -> "static-owner",
            time);
  }

  /** The emulator behind it. */
  ArmEmulator azure() {
    return azure;
  }

  /** The same with a provider of these settings. */
  AzureContractCloud with(AzureSettings changed) {
    settings = changed;
    return this;
  }

  /** The same whose answers spell ids in two ways. */
  AzureContractCloud respelled() {
    respelled = true;
    return this;
  }

  /** What the provider reported. */
  Set<ErrorCode> reported() {
    return reported;
  }

  @Override
  public AllocationImplementation provider(ProviderContext context) {
    AccessTokens tokens =
        new AccessTokens(
            context.calls().create(AccessTokens.policy("authority")),
            context.scheduler(),
            this::token,
            new Cancellation());
    PipelineArmApi api =
        new PipelineArmApi(
            respelled
                ? new RespellingTransport(azure.handler())
                : new EmulatorTransport(azure.handler()),
            URI.create(ENDPOINT),
            tokens::now,
            time,
            settings.blocksOnScaleSets());
    return new AzureAllocation(
        () -> api,
        context.calls().create(ArmCallLimits.of("azure/contract", 1)),
        tokens,
        settings,
        context.scheduler(),
        context.random(),
        context.metrics(),
        (code, detail) -> reported.add(code),
        () -> {});
  }

  private AccessTokens.Token token() {
    String text = azure.handler().use(model -> model.giveToken("provider", azure.handler().now()));
    return new AccessTokens.Token(text, time.epochMillis() + Duration.ofHours(1).toMillis());
  }

  private static String subnetId(String name) {
    return NETWORK + "/subnets/" + name;
  }

  @Override
  public void subnet(String id, Cidr cidr) {
    subnets.put(id, cidr);
    azure.change(owner -> owner.addSubnet(subnetId(id), List.of(cidr), false, 0));
  }

  @Override
  public void securityGroup(String id, Map<String, String> tags) {
    // an interface has at most one, which comes with its machine
  }

  @Override
  public void publicAddress(IpAddress address, Map<String, String> tags) {
    Document labels = Document.EMPTY;
    for (Map.Entry<String, String> each : tags.entrySet()) {
      labels = labels.with(each.getKey(), each.getValue());
    }
    Document all = Document.of("tags", labels);
    azure.change(
        owner ->
            owner.addPublicPrefix(
                GROUP + "Microsoft.Network/publicIPPrefixes/edge",
                LOCATION,
                Cidr.single(address), // any address of a prefix may be given
                all,
                0));
  }

  @Override
  public NodeResource launch(String node, NodeShape shape, String subnetId) {
    String machine = uniform ? instance(subnetId) : machine(node, subnetId);
    // As agents do, which take the id from a text in which upper and lower case are mixed.
    return Samples.node(node)
        .instanceId(machine.toLowerCase(Locale.ROOT))
        .build()
        .withAzureSpec(new AzureSpec(uniform ? NIC_NAME : node + "-" + NIC_NAME, Optional.empty()));
  }

  private String instance(String subnet) {
    String set = GROUP + "Microsoft.Compute/virtualMachineScaleSets/pool-" + subnet;
    int number = instances.merge(subnet, 1, Integer::sum) - 1;
    String[] made = new String[1];
    azure.change(
        owner -> {
          if (number == 0) {
            Document model =
                Document.of("name", NIC_NAME)
                    .with(
                        "properties",
                        Document.of("primary", true)
                            .with("ipConfigurations", List.of(primary(subnet))));
            owner.addScaleSet(set, LOCATION, true, List.of(model));
          }
          made[0] = owner.addInstance(set, number);
        });
    return made[0];
  }

  private String machine(String node, String subnet) {
    String id = GROUP + "Microsoft.Compute/virtualMachines/" + node;
    azure.change(
        owner -> {
          owner.addMachine(id, LOCATION, Optional.empty());
          owner.addInterface(
              GROUP + "Microsoft.Network/networkInterfaces/" + node + "-" + NIC_NAME,
              id,
              List.of(primary(subnet)),
              Document.EMPTY);
        });
    return id;
  }

  private static Document primary(String subnet) {
    return Document.of("name", "primary")
        .with(
            "properties",
            Document.of("primary", true).with("subnet", Document.reference(subnetId(subnet))));
  }

  @Override
  public String unknownInstance() {
    String id =
        uniform
            ? "Microsoft.Compute/virtualMachineScaleSets/pool-subnet-a/virtualMachines/77"
            : "Microsoft.Compute/virtualMachines/unknown";
    return (GROUP + id).toLowerCase(Locale.ROOT);
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
    AddressSet all = AddressSet.ofRange(Objects.requireNonNull(subnets.get(subnetId)));
    // Every other address first, so that no block survives.
    for (int parity = 0; parity < 2; parity++) {
      int next = parity;
      for (int excess = free(subnetId) - left; excess > 0; excess = free(subnetId) - left) {
        List<IpAddress> taken = new ArrayList<>();
        for (; next < all.size() && taken.size() < excess; next += 2) {
          taken.add(all.at(next));
        }
        if (taken.isEmpty()) {
          break;
        }
        azure.change(owner -> owner.takeAddresses(subnetId(subnetId), taken));
      }
    }
  }

  private int free(String subnetId) {
    Document found =
        azure.handler().use(model -> model.state().objects("subnets")).stream()
            .filter(each -> each.text("id").orElse("").equals(subnetId(subnetId)))
            .findFirst()
            .orElseThrow();
    return found.number("limit").orElseThrow() - found.number("used").orElseThrow();
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
            .toList());
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
      return held(ResourceId.of(instanceId)).stream().map(AzureContractCloud::shown).toList();
    } catch (ArmFailure gone) {
      return List.of();
    } finally {
      azure.listsBehind(Optional.of(lag));
    }
  }

  private List<NetworkInterface> held(ResourceId instance) throws ArmFailure {
    return uniform
        ? owner.interfacesOfInstance(instance, Optional.empty()).items()
        : List.of(
            owner.networkInterface(
                ResourceId.of(
                    GROUP
                        + "Microsoft.Network/networkInterfaces/"
                        + instance.name()
                        + "-"
                        + NIC_NAME)));
  }

  private static TrueInterface shown(NetworkInterface each) {
    AddressSet.Builder singles = AddressSet.builder();
    List<Cidr> blocks = new ArrayList<>();
    Optional<IpAddress> primary = Optional.empty();
    for (IpConfiguration configuration : each.configurations()) {
      Cidr range = configuration.range().orElseThrow();
      boolean block = configuration.block() || configuration.name().startsWith("Tidemark-b-");
      if (configuration.primary()) {
        primary = Optional.of(range.first());
      } else if (block) {
        blocks.add(NicReader.blockOf(range.first()));
      } else {
        singles.add(range.first());
      }
    }
    return new TrueInterface(
        each.id().text(),
        each.subnet().map(ResourceId::name).orElse(""),
        primary.orElseThrow(),
        singles.build(),
        blocks,
        List.of(),
        true);
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
