package io.tidemark.simulation.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.provider.mock.MockProviderFactory;
import io.tidemark.provider.mock.cloud.CloudCall;
import io.tidemark.provider.mock.cloud.CloudErrorCode;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.CloudSettings;
import io.tidemark.provider.mock.cloud.Fault;
import io.tidemark.provider.mock.cloud.FaultPlan;
import io.tidemark.provider.mock.cloud.Instance;
import io.tidemark.provider.mock.cloud.InstanceLaunch;
import io.tidemark.provider.mock.cloud.InstanceType;
import io.tidemark.provider.mock.cloud.InstanceTypes;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.Mutation;
import io.tidemark.provider.mock.cloud.Mutations;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.provider.mock.cloud.PublicAddress;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.provider.mock.cloud.SubnetView;
import io.tidemark.provider.mock.cloud.Vpc;
import io.tidemark.resilience.CallKind;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.scenario.Fault.Kind;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The mock cloud in a simulation. */
public final class MockSimulatedCloud implements SimulatedCloud {
  private static final int MUTATIONS_MOST = 1_000_000;
  private static final int PUBLIC_ADDRESSES = 16;

  /** A loose interface is seen twice, this far apart, before it is collected. */
  private static final Duration BETWEEN_SIGHTINGS = Duration.ofSeconds(60);

  /** Tags of the public addresses that the account has for nodes that ask for one. */
  public static final Map<String, String> PUBLIC_ADDRESS_TAGS = Map.of("use", "nodes");

  private static final String CLUSTER_TAG = "tidemark.io/cluster";
  private static final String TOKEN_TAG = "tidemark.io/token";

  private final Scenario scenario;
  private final MockCloud cloud;
  private final Map<String, Attached> attached = new HashMap<>();
  private int strangers;

  /** The interfaces of an instance as the cloud gave them, and as they were shown. */
  private record Attached(List<NetworkInterface> given, List<CloudInterface> shown) {
    static final Attached NONE = new Attached(List.of(), List.of());

    /** What was shown for this very interface, else it is shown now. */
    @SuppressWarnings("ReferenceEquality")
    CloudInterface shown(NetworkInterface each) {
      for (int i = 0; i < given.size(); i++) {
        if (given.get(i) == each) {
          return shown.get(i);
        }
      }
      return seen(each);
    }
  }

  /** An account with the scenario's networks and instance types and nothing else. */
  public MockSimulatedCloud(Scenario scenario, VirtualTime time, CloudTemper temper, long seed) {
    this.scenario = scenario;
    List<InstanceType> types = new ArrayList<>();
    for (Scenario.InstanceShape each : scenario.instanceTypes()) {
      types.add(
          new InstanceType(
              each.name(), each.interfaces(), each.addressesPerInterface(), each.prefixes()));
    }
    this.cloud =
        new MockCloud(
            new CloudSettings(
                seed,
                InstanceTypes.standard().with(types),
                scenario.cloud().buckets(),
                stalestRead(scenario),
                plan(temper)),
            time);
    for (String vpc : vpcs(scenario)) {
      cloud.setup().vpc(vpc(scenario, vpc));
    }
    for (SubnetShape each : scenario.subnets()) {
      cloud.setup().subnet(new Subnet(each.id(), each.vpcId(), each.zone(), each.cidr(), Map.of()));
      each.reserved().forEach(block -> cloud.setup().occupy(each.id(), AddressSet.ofRange(block)));
    }
    for (int i = 1; i <= PUBLIC_ADDRESSES; i++) {
      cloud
          .setup()
          .publicAddress(
              new PublicAddress(
                  "eipalloc-" + i,
                  Ipv4Address.of(203, 0, 113, i),
                  PUBLIC_ADDRESS_TAGS,
                  Optional.empty()));
    }
    cloud.keepMutations(MUTATIONS_MOST);
  }

  private static Set<String> vpcs(Scenario scenario) {
    Set<String> vpcs = new TreeSet<>();
    scenario.subnets().forEach(each -> vpcs.add(each.vpcId()));
    return vpcs;
  }

  private static Vpc vpc(Scenario scenario, String id) {
    List<Cidr> cidrs =
        scenario.subnets().stream()
            .filter(each -> each.vpcId().equals(id))
            .map(SubnetShape::cidr)
            .toList();
    return new Vpc(id, cidrs.get(0), cidrs.subList(1, cidrs.size()));
  }

  private static Duration stalestRead(Scenario scenario) {
    Duration most = scenario.cloud().staleness();
    for (var fault : scenario.faults()) {
      if (fault.kind() == Kind.STALE_READS && fault.step().compareTo(most) > 0) {
        most = fault.step();
      }
    }
    return most;
  }

  private static FaultPlan plan(CloudTemper temper) {
    return new FaultPlan() {
      @Override
      public Fault faultOf(CloudCall call) {
        return temper.refuses(call.operation().wire())
            ? new Fault.Refuse(CloudErrorCode.INTERNAL_ERROR, "An internal error has occurred")
            : Fault.none();
      }

      @Override
      public Duration lagOf(CloudCall call) {
        return temper.readLag();
      }
    };
  }

  @Override
  public AllocationImplementation provider(ProviderContext context) {
    return new MockProviderFactory(cloud).create(context);
  }

  @Override
  public List<CloudOperationInfo> operations() {
    List<CloudOperationInfo> operations = new ArrayList<>();
    for (CloudOperation each : CloudOperation.values()) {
      operations.add(
          new CloudOperationInfo(each.wire(), each.kind().effect() != CallKind.Effect.READ));
    }
    return operations;
  }

  @Override
  public String launch(Launch launch) {
    cloud
        .setup()
        .launch(InstanceLaunch.of(launch.instanceId(), launch.instanceType(), launch.subnetId()));
    return launch.instanceId();
  }

  @Override
  public void running(String instanceId, boolean running) {
    cloud
        .setup()
        .instanceState(instanceId, running ? Instance.State.RUNNING : Instance.State.STOPPED);
  }

  @Override
  public void terminate(String instanceId) {
    cloud.setup().terminate(instanceId);
  }

  @Override
  public NodeResource introduced(NodeResource bare, Launch launch) {
    SubnetShape subnet = scenario.subnet(launch.subnetId()).orElseThrow();
    return bare.withEniSpec(
        new EniSpec(
            launch.instanceType(),
            OptionalInt.of(launch.firstInterfaceIndex()),
            List.of(),
            Map.of(),
            List.of(),
            Map.of(),
            subnet.id(),
            subnet.vpcId(),
            subnet.zone(),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
  }

  @Override
  public String strangersInterface(String subnetId) {
    String id = "eni-stranger" + ++strangers;
    SubnetShape subnet = scenario.subnet(subnetId).orElseThrow();
    IpAddress last = subnet.cidr().last().plus(-1);
    return cloud
        .setup()
        .plugIn(
            new NetworkInterface(
                id,
                subnetId,
                "02:00:00:00:00:01",
                "somebody else's",
                last,
                AddressSet.of(),
                List.of(),
                List.of(),
                Map.of("owner", "somebody else"),
                Optional.empty(),
                Optional.empty()))
        .orElseThrow(() -> new IllegalStateException(last + " of " + subnetId + " is taken"))
        .id();
  }

  @Override
  public void strangersTake(double share, double seconds) {
    for (CloudOperation each : CloudOperation.values()) {
      cloud.drainBucket(each, share * seconds * each.refillPerSecond());
    }
  }

  @Override
  public List<CloudChange> drainChanges() {
    Mutations drained = cloud.drainMutations();
    if (!drained.complete()) {
      throw new IllegalStateException("more than " + MUTATIONS_MOST + " changes in one step");
    }
    if (drained.list().isEmpty()) {
      return List.of();
    }
    List<CloudChange> changes = new ArrayList<>(drained.list().size());
    for (Mutation each : drained.list()) {
      changes.add(
          new CloudChange(
              CloudChange.Kind.valueOf(each.kind().name()),
              each.instanceId(),
              each.interfaceId(),
              each.addresses()));
    }
    return changes;
  }

  @Override
  public boolean exists(String instanceId) {
    return cloud
        .instance(instanceId)
        .filter(each -> each.state() != Instance.State.TERMINATED)
        .isPresent();
  }

  @Override
  public boolean isRunning(String instanceId) {
    return cloud
        .instance(instanceId)
        .filter(each -> each.state() == Instance.State.RUNNING)
        .isPresent();
  }

  @Override
  public Optional<CloudInterface> networkInterface(String interfaceId) {
    return cloud.networkInterface(interfaceId).map(MockSimulatedCloud::seen);
  }

  @Override
  public List<CloudInterface> attachedTo(String instanceId) {
    List<NetworkInterface> given = cloud.attachedTo(instanceId);
    Attached before = attached.getOrDefault(instanceId, Attached.NONE);
    if (isSame(given, before.given())) {
      return before.shown();
    }
    List<CloudInterface> shown = new ArrayList<>(given.size());
    for (NetworkInterface each : given) {
      shown.add(before.shown(each));
    }
    List<CloudInterface> unmodifiable = List.copyOf(shown);
    attached.put(instanceId, new Attached(given, unmodifiable));
    return unmodifiable;
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(List<NetworkInterface> given, List<NetworkInterface> before) {
    return given == before;
  }

  private static CloudInterface seen(NetworkInterface each) {
    return new CloudInterface(
        each.id(),
        each.subnetId(),
        each.attachment().isPresent() ? each.attachment().get().instanceId() : "",
        each.attachment().isPresent() ? each.attachment().get().deviceIndex() : -1,
        each.attachment().isPresent() && each.attachment().get().deleteOnTermination(),
        each.primary(),
        each.singles(),
        each.prefixes(),
        each.tags());
  }

  @Override
  public boolean isOurs(CloudInterface one) {
    return CLUSTER_NAME.equals(one.tags().get(CLUSTER_TAG)) && one.tags().containsKey(TOKEN_TAG);
  }

  @Override
  public boolean isAttached(String instanceId, IpAddress address) {
    for (CloudInterface each : attachedTo(instanceId)) {
      if (each.holds(address)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public List<CloudSubnet> subnets() {
    List<CloudSubnet> subnets = new ArrayList<>();
    for (SubnetShape each : scenario.subnets()) {
      subnets.add(subnet(each.id()));
    }
    return subnets;
  }

  @Override
  public CloudSubnet subnet(String id) {
    SubnetView view = cloud.subnet(id).orElseThrow();
    Subnet subnet = view.subnet();
    return new CloudSubnet(id, subnet.vpcId(), subnet.zone(), view.freeAddresses());
  }

  @Override
  public Duration collectedAfter(Duration scan) {
    return scan.plus(BETWEEN_SIGHTINGS).multipliedBy(2);
  }

  @Override
  public SortedMap<String, Long> calls() {
    return named(cloud.calls());
  }

  @Override
  public SortedMap<String, Long> throttled() {
    return named(cloud.throttled());
  }

  private static SortedMap<String, Long> named(Map<CloudOperation, Long> counts) {
    SortedMap<String, Long> named = new TreeMap<>();
    counts.forEach(
        (operation, count) -> {
          if (count > 0) {
            named.put(operation.wire(), count);
          }
        });
    return named;
  }
}
