package io.tidemark.provider.azure.simulation;

import io.tidemark.emulator.arm.model.ArmInventory;
import io.tidemark.emulator.arm.model.ArmModel;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.ip.AddressSet;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.ipam.AzureAccount;
import io.tidemark.provider.azure.ipam.AzureAllocation;
import io.tidemark.provider.azure.ipam.AzureSettings;
import io.tidemark.provider.azure.ipam.AzureSpecSampleJson;
import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.ArmCallLimits;
import io.tidemark.provider.azure.network.ArmOperation;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.simulation.ArmWorld.Launched;
import io.tidemark.provider.azure.simulation.CloudSetup.Trait;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.cloud.CloudChange;
import io.tidemark.simulation.cloud.CloudInterface;
import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The Azure provider over the strict Resource Manager in a simulation. */
final class AzureSimulatedCloud implements SimulatedCloud {
  private static final Duration PASS_TIMEOUT = Duration.ofMinutes(5);
  private static final AzureSettings SETTINGS =
      AzureSettingsSample.of("overlay-expiry", "2m", "azure-release-quarantine", "2m");
  private static final String TOKENS = AccessTokens.KIND.name();

  private final Scenario scenario;
  private final VirtualTime time;
  private final CloudTemper temper;
  private final CloudSetup setup;
  private final ModelOptions options;
  private final ArmWorld world;
  private final Truth truth;
  private final OwnTroubles troubles;
  private final Set<String> written = new TreeSet<>();
  private final SortedMap<String, Long> throttled = new TreeMap<>();
  private final Instant origin;
  private Runnable listener = () -> {};
  private long tokens;
  private long nextNanos = Long.MAX_VALUE;

  AzureSimulatedCloud(
      Scenario scenario, VirtualTime time, CloudTemper temper, long seed, CloudSetup setup) {
    this.scenario = scenario;
    this.time = time;
    this.temper = temper;
    this.setup = setup;
    boolean mixed = setup.has(Trait.MIXED);
    this.options =
        mixed ? AzureBehaviour.drawn(seed, scenario) : AzureBehaviour.plain(seed, scenario);
    this.world = new ArmWorld(scenario, time, options, mixed, mixed && seed % 2 == 0, seed);
    this.origin = world.now().minusNanos(time.nanos());
    this.truth = new Truth(world);
    this.troubles = new OwnTroubles(world, truth, time, seed);
    if (setup.has(Trait.TROUBLED)) {
      troubles.draw(scenario);
    }
  }

  @Override
  public AllocationImplementation provider(ProviderContext context) {
    Cancellation shutdown = new Cancellation();
    AccessTokens access =
        new AccessTokens(
            context.calls().create(AccessTokens.policy("azure/authority")),
            context.scheduler(),
            this::token,
            shutdown);
    ArmApi api =
        TemperedArmApi.of(temper, this::lag, this::written, this::throttled)
            .apply(setup.door().apply(door(access::now)));
    return new AzureAllocation(
        new AzureAccount(
            () -> api,
            context.calls().create(ArmCallLimits.of("azure/" + ArmWorld.PRINCIPAL, 1)),
            access,
            SETTINGS,
            context.scheduler(),
            context.random(),
            context.metrics(),
            context.notices()),
        shutdown::cancel);
  }

  private ArmApi door(Supplier<String> token) {
    return setup.way().to(world.handler(), token, time);
  }

  private AccessTokens.Token token() {
    tokens++;
    if (temper.refuses(TOKENS)) {
      throw new IllegalStateException("the authority has no time");
    }
    String text = use(model -> model.giveToken(ArmWorld.PRINCIPAL, world.now()));
    return new AccessTokens.Token(text, time.epochMillis() + options.tokenLife().toMillis());
  }

  private <R> R use(java.util.function.Function<ArmModel, R> use) {
    return world.handler().use(use);
  }

  // ---- what time alone changes

  @Override
  public void onTimedChange(Runnable told) {
    listener = told;
  }

  /** A write was sent; it may go on. */
  private void written(ResourceId resource) {
    String machine = machineOf(resource);
    truth.look(machine);
    written.add(machine);
    expect();
  }

  private String machineOf(ResourceId resource) {
    return resource.isUniformInstance()
        ? ArmWorld.key(resource.text())
        : world
            .inventory()
            .networkInterface(resource.text())
            .flatMap(nic -> nic.machine())
            .map(id -> ArmWorld.key(id.text()))
            .orElse("");
  }

  private void throttled(String operation) {
    throttled.merge(operation, 1L, Long::sum);
  }

  /** How far the lists of the next request lag. */
  private void lag() {
    Duration lag = temper.readLag();
    world.handler().change(model -> model.listsBehind(Optional.of(lag)));
  }

  /** Wakes up when something happens by itself. */
  private void expect() {
    Optional<Instant> next = use(ArmModel::nextEvent);
    if (next.isPresent()) {
      long due = Duration.between(origin, next.get()).toNanos();
      if (due < nextNanos) {
        nextNanos = due;
        time.at(due, () -> happens(due));
      }
    }
  }

  private void happens(long due) {
    if (nextNanos == due) {
      nextNanos = Long.MAX_VALUE;
    }
    world.handler().change(model -> model.pass(world.now()));
    for (String machine : List.copyOf(written)) {
      truth.look(machine);
      if (isQuiet(machine)) {
        written.remove(machine);
      }
    }
    expect();
    listener.run();
  }

  @Override
  public boolean isChanging() {
    return !written.stream().allMatch(this::isQuiet);
  }

  private boolean isQuiet(String machine) {
    Optional<ArmInventory.SeenMachine> found = world.inventory().machine(machine);
    return found.isEmpty()
        || (!found.get().provisioningState().equals("Updating")
            && found.get().interfaces().stream()
                .noneMatch(nic -> nic.state().provisioningState().equals("Updating")));
  }

  // ---- the API

  @Override
  public List<CloudOperationInfo> operations() {
    List<CloudOperationInfo> operations = new ArrayList<>();
    for (ArmOperation each : ArmOperation.values()) {
      boolean mutating = each.kind().effect() != CallKind.Effect.READ;
      operations.add(new CloudOperationInfo(each.kind().name(), mutating, latency(each)));
    }
    operations.add(new CloudOperationInfo(TOKENS, false, Duration.ofMillis(200)));
    return operations;
  }

  private static Duration latency(ArmOperation operation) {
    return Duration.ofMillis(
        switch (operation) {
          case INSTANCE_UPDATE -> 1_500;
          case INTERFACE_UPDATE, PUBLIC_ADDRESS_UPDATE -> 800;
          case SET_INTERFACES, GROUP_INTERFACES -> 600;
          default -> 150;
        });
  }

  @Override
  public Optional<Duration> passTimeout() {
    return Optional.of(PASS_TIMEOUT);
  }

  @Override
  public Map<String, ShownInterface> shownInterfaces(NodeResource resource) {
    Map<String, ShownInterface> shown = new TreeMap<>();
    resource
        .azureStatus()
        .ifPresent(
            status ->
                status
                    .addressesByInterface()
                    .forEach((id, all) -> shown.put(id, new ShownInterface(all, List.of()))));
    return shown;
  }

  @Override
  public String section() {
    return "azure";
  }

  // ---- what the account's owner does

  @Override
  public String launch(Launch launch) {
    Launched made = world.launch(launch);
    if (setup.has(Trait.PUBLIC_ADDRESSES)) {
      world.offerPublicAddresses(made);
    }
    truth.begin(made);
    troubles.launched(made);
    expect();
    return made.key();
  }

  @Override
  public void running(String instanceId, boolean running) {
    world.running(instanceId, running);
    truth.changed(instanceId);
  }

  @Override
  public void terminate(String instanceId) {
    Duration marked = world.terminate(instanceId);
    if (marked.isZero()) {
      truth.look(instanceId);
      truth.changed(instanceId);
    } else {
      time.after(
          marked,
          () -> {
            world.delete(instanceId);
            truth.look(instanceId);
            listener.run();
          });
    }
  }

  @Override
  public NodeResource introduced(NodeResource bare, Launch launch) {
    Launched machine = world.launched(launch.instanceId()).orElseThrow();
    NodeResource made = AzureSpecSampleJson.named(bare, ArmWorld.wantedInterface(machine));
    if (!setup.has(Trait.PUBLIC_ADDRESSES)) {
      return made;
    }
    IpamSpec ipam = made.ipam();
    return made.withIpam(
        new IpamSpec(
            ipam.preAllocate(),
            ipam.minAllocate(),
            ipam.maxAllocate(),
            ipam.maxAboveWatermark(),
            ArmWorld.PUBLIC_TAGS,
            ipam.requested(),
            ipam.allocatedCidrs()));
  }

  /** How many addresses of public prefixes are used. */
  int publicAddresses() {
    return use(
        model ->
            model.state().objects("publicPrefixes").stream()
                .mapToInt(each -> each.number("used").orElse(0))
                .sum());
  }

  @Override
  public String foreignInterface(String subnetId) {
    return world.foreignInterface(subnetId);
  }

  @Override
  public boolean isForeign(String interfaceId) {
    return world.isTheirs(interfaceId);
  }

  @Override
  public AddressSet pinned(String interfaceId) {
    return truth.pinned(interfaceId);
  }

  @Override
  public void neighboursTake(double share, double seconds) {
    double taken = share * seconds;
    world.handler().change(model -> model.neighboursTake(ArmWorld.PRINCIPAL, taken, world.now()));
  }

  // ---- the truth

  @Override
  public List<CloudChange> drainChanges() {
    return truth.drain();
  }

  @Override
  public Optional<CloudInterface> networkInterface(String interfaceId) {
    return truth.find(interfaceId);
  }

  @Override
  public List<CloudInterface> attachedTo(String instanceId) {
    return truth.attachedTo(instanceId);
  }

  /** Operators make no interface. */
  @Override
  public boolean isOurs(CloudInterface one) {
    return false;
  }

  @Override
  public List<CloudSubnet> subnets() {
    return scenario.subnets().stream().map(each -> subnet(each.id())).toList();
  }

  @Override
  public CloudSubnet subnet(String id) {
    SubnetShape shape = scenario.subnet(id).orElseThrow();
    return new CloudSubnet(id, shape.vpcId(), shape.zone(), world.free(id));
  }

  /** Nothing is left behind that could be collected. */
  @Override
  public Duration collectedAfter(Duration scan) {
    return scan.multipliedBy(2);
  }

  @Override
  public SortedMap<String, Long> calls() {
    SortedMap<String, Long> calls = new TreeMap<>();
    use(ArmModel::audit).counts().forEach((title, count) -> calls.put(title, (long) count));
    calls.put(TOKENS, tokens);
    return calls;
  }

  @Override
  public SortedMap<String, Long> throttled() {
    return new TreeMap<>(throttled);
  }
}
