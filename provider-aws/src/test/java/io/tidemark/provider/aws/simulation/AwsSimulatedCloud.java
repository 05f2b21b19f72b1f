package io.tidemark.provider.aws.simulation;

import io.tidemark.emulator.ec2.http.Ec2Handler;
import io.tidemark.emulator.ec2.model.Caller;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.Ec2Accounts;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.EmulatedDoors;
import io.tidemark.provider.aws.eni.EniSettings;
import io.tidemark.provider.aws.eni.OneAccount;
import io.tidemark.provider.aws.eni.SettingsSample;
import io.tidemark.provider.aws.limits.InstanceTypeLimits;
import io.tidemark.provider.aws.simulation.CloudSetup.Trait;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.ClusterSimulation.CloudFactory;
import io.tidemark.simulation.cloud.CloudChange;
import io.tidemark.simulation.cloud.CloudInterface;
import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.simulation.cloud.MockSimulatedCloud;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The AWS provider over the strict EC2 in a simulation. */
public final class AwsSimulatedCloud implements SimulatedCloud {
  /** Tags of the public addresses that the account has for nodes that ask for one. */
  public static final Map<String, String> PUBLIC_ADDRESS_TAGS = Map.of("use", "nodes");

  /** The tags of an interface of ours from birth (provider-aws 6, M9). */
  private static final Set<String> OWNER_TAGS =
      Set.of(
          "tidemark.io/cluster",
          "tidemark.io/instance-id",
          "tidemark.io/created-at",
          "tidemark.io/token",
          "io.cilium/cilium-managed",
          "io.cilium/cluster-name");

  private static final int SDK_OF = 10;
  private static final int UNVISITED_OF = 3;
  private static final int RETAGGED_OF = 4;

  private final Scenario scenario;
  private final Ec2World world;
  private final Truth truth;
  private final Ec2Accounts ec2;
  private final CloudSetup setup;
  private final ForeignInterfaces foreignInterfaces;
  private final @Nullable Retagging retagging;

  private AwsSimulatedCloud(
      Scenario scenario, VirtualTime time, CloudTemper temper, long seed, CloudSetup setup) {
    this.scenario = scenario;
    this.setup = setup;
    DirectReads.Reads reads = new DirectReads.Reads();
    this.world =
        new Ec2World(
            scenario,
            time,
            seed,
            setup.has(Trait.IPV6),
            setup.has(Trait.TWO_ACCOUNTS),
            setup.has(Trait.SDK) ? List.of() : reads.actions());
    this.truth = new Truth(world);
    this.foreignInterfaces = new ForeignInterfaces(world, truth, time, seed);
    this.retagging = setup.has(Trait.RETAGGING) ? new Retagging(world, scenario, time, seed) : null;
    OwnFaults faults = setup.ownFaults().of(scenario, time, seed);
    UnaryOperator<Ec2Api> tempered = api -> Tempered.of(api, world, temper, faults, truth);
    Ec2Api instances = tempered.apply(door(world.owner(), reads));
    this.ec2 =
        setup.has(Trait.TWO_ACCOUNTS)
            ? Ec2Accounts.two(
                tempered.apply(setup.networkDoor().apply(door(world.network(), reads))),
                instances,
                Ec2World.ACCOUNT)
            : Ec2Accounts.one(instances);
  }

  private Ec2Api door(Caller caller, DirectReads.Reads reads) {
    return setup.has(Trait.SDK)
        ? EmulatedDoors.sdk(new Ec2Handler(world.model(), world.time()), caller.account())
        : DirectReads.of(world, caller, reads);
  }

  /**
   * With EC2's own troubles, foreignInterfaces in two seeds of three and subnets that lose their
   * tags in every fourth; the real SDK sends every tenth seed's requests.
   */
  public static SimulatedCloud random(
      Scenario scenario, VirtualTime time, CloudTemper temper, long seed) {
    return new AwsSimulatedCloud(
        scenario,
        time,
        temper,
        seed,
        CloudSetup.PLAIN
            .troubled(OwnFaults::drawn)
            .with(Trait.SDK, Math.floorMod(scenario.seed(), SDK_OF) == 0)
            .with(Trait.FOREIGN_INTERFACES, Math.floorMod(scenario.seed(), UNVISITED_OF) != 1)
            .with(Trait.RETAGGING, Math.floorMod(scenario.seed(), RETAGGED_OF) == 2));
  }

  /** With what {@code setup} says. */
  public static CloudFactory with(CloudSetup setup) {
    return (scenario, time, temper, seed) ->
        new AwsSimulatedCloud(scenario, time, temper, seed, setup);
  }

  @Override
  public AllocationImplementation provider(ProviderContext context) {
    CloudCalls calls =
        context.calls().create(Ec2CallLimits.of(Ec2World.ACCOUNT, Ec2World.REGION, 1));
    return OneAccount.of(
        ec2,
        calls,
        Copies.with(
            SettingsSample.USUAL, Map.of("options", options(), "ipv6", setup.has(Trait.IPV6))),
        context.cluster(),
        new InstanceTypeLimits(
            Map.of(), () -> ec2.as(true), calls, context.scheduler(), context.metrics()),
        context.scheduler());
  }

  private EniSettings.Options options() {
    boolean foreign = !setup.has(Trait.FOREIGN_INTERFACES) || setup.has(Trait.ADOPTING);
    return new EniSettings.Options(false, false, foreign, false, setup.has(Trait.RETAGGING), false);
  }

  @Override
  public List<CloudOperationInfo> operations() {
    List<CloudOperationInfo> operations = new ArrayList<>();
    for (Ec2Operation each : Ec2Operation.values()) {
      boolean mutating = each.kind().effect() != CallKind.Effect.READ;
      operations.add(new CloudOperationInfo(each.action(), mutating, latency(each, mutating)));
    }
    return operations;
  }

  private static Duration latency(Ec2Operation operation, boolean mutating) {
    return Duration.ofMillis(
        switch (operation) {
          case ATTACH_NETWORK_INTERFACE -> 1_500;
          case MODIFY_NETWORK_INTERFACE_ATTRIBUTE -> 300;
          case ASSIGN_PRIVATE_IP_ADDRESSES, UNASSIGN_PRIVATE_IP_ADDRESSES -> 800;
          case GET_SECURITY_GROUPS_FOR_VPC -> 600;
          default -> mutating ? 600 : 150;
        });
  }

  @Override
  public Map<String, ShownInterface> shownInterfaces(NodeResource resource) {
    return MockSimulatedCloud.eniStatus(resource);
  }

  @Override
  public String section() {
    return "eni";
  }

  // ---- what the account's owner does

  @Override
  public String launch(Launch launch) {
    InstanceShape type = scenario.instanceType(launch.instanceType()).orElseThrow();
    String id =
        setup.has(Trait.FOREIGN_INTERFACES)
            ? foreignInterfaces.launch(launch.subnetId(), type)
            : world.launch(type.name(), launch.subnetId());
    truth.lookAtInstance(id);
    return id;
  }

  @Override
  public void running(String instanceId, boolean running) {
    world.change(running ? "StartInstances" : "StopInstances", instanceId);
    truth.lookAtInstance(instanceId);
  }

  @Override
  public void terminate(String instanceId) {
    world.change("TerminateInstances", instanceId);
    truth.lookAtInstance(instanceId);
  }

  @Override
  public NodeResource introduced(NodeResource bare, Launch launch) {
    SubnetShape subnet = scenario.subnet(launch.subnetId()).orElseThrow();
    NodeResource introduced =
        bare.withEniSpec(
            Copies.with(
                world.spec(launch.instanceType(), launch.firstInterfaceIndex(), subnet.id()),
                Map.of(
                    "securityGroups",
                    world.securityGroups(subnet.vpcId()),
                    "subnetTags",
                    setup.has(Trait.RETAGGING) ? Retagging.SELECTED : Map.of())));
    return setup.has(Trait.STATIC_ADDRESSES)
        ? introduced.withIpam(Copies.with(introduced.ipam(), "staticIpTags", PUBLIC_ADDRESS_TAGS))
        : introduced;
  }

  @Override
  public Set<IpFamily> families() {
    return setup.has(Trait.IPV6) ? Set.of(IpFamily.IPV4, IpFamily.IPV6) : Set.of(IpFamily.IPV4);
  }

  @Override
  public String foreignInterface(String subnetId) {
    SubnetShape subnet = scenario.subnet(subnetId).orElseThrow();
    String id = world.foreignInterface(subnetId, (Ipv4Address) subnet.cidr().last().plus(-1));
    truth.know(id);
    return id;
  }

  @Override
  public boolean isForeign(String interfaceId) {
    return foreignInterfaces.isTheirs(interfaceId);
  }

  /** The interfaces that somebody else put on instances. */
  ForeignInterfaces foreignInterfaces() {
    return foreignInterfaces;
  }

  /** Which subnets lost their tags for a while. */
  Optional<Retagging> retagging() {
    return Optional.ofNullable(retagging);
  }

  @Override
  public void neighboursTake(double share, double seconds) {
    world.neighboursTake(share, seconds);
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

  @Override
  public boolean isOurs(CloudInterface one) {
    return one.tags().keySet().containsAll(OWNER_TAGS)
        && CLUSTER_NAME.equals(one.tags().get("tidemark.io/cluster"));
  }

  @Override
  public List<CloudSubnet> subnets() {
    return scenario.subnets().stream().map(each -> subnet(each.id())).toList();
  }

  @Override
  public CloudSubnet subnet(String id) {
    SubnetShape shape = scenario.subnet(id).orElseThrow();
    int free = world.region().addresses(world.real(id)).available();
    return new CloudSubnet(id, shape.vpcId(), shape.zone(), free);
  }

  @Override
  public Duration collectedAfter(Duration scan) {
    return SettingsSample.COLLECTION_INTERVAL
        .plus(scan)
        .plus(SettingsSample.USUAL.horizon())
        .multipliedBy(2);
  }

  @Override
  public SortedMap<String, Long> calls() {
    return world.calls();
  }

  @Override
  public SortedMap<String, Long> throttled() {
    return world.throttled();
  }
}
