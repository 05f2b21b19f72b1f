package io.tidemark.simulation.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.MockProviderFactory;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.HeldIpv6;
import io.tidemark.provider.mock.cloud.Instance;
import io.tidemark.provider.mock.cloud.InstanceLaunch;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.Mutation;
import io.tidemark.provider.mock.cloud.Mutations;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.provider.mock.cloud.SubnetView;
import io.tidemark.resilience.CallKind;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** The mock cloud in a simulation. */
public final class MockSimulatedCloud implements SimulatedCloud {
  private static final int MUTATIONS_MOST = 1_000_000;

  /** A loose interface is seen twice, this far apart, before it is collected. */
  private static final Duration BETWEEN_SIGHTINGS = Duration.ofSeconds(60);

  /** Tags of the public addresses that the account has for nodes that ask for one. */
  public static final Map<String, String> PUBLIC_ADDRESS_TAGS = Map.of("use", "nodes");

  private static final String CLUSTER_TAG = "tidemark.io/cluster";
  private static final String TOKEN_TAG = "tidemark.io/token";

  private final Scenario scenario;
  private final MockCloud cloud;
  private final InterfaceCache shown = new InterfaceCache();
  private int foreign;

  /** An account with the scenario's networks and instance types and nothing else. */
  public MockSimulatedCloud(Scenario scenario, VirtualTime time, CloudTemper temper, long seed) {
    this.scenario = scenario;
    this.cloud = ScenarioAccount.of(scenario, time, temper, seed);
    cloud.keepMutations(MUTATIONS_MOST);
  }

  @Override
  public AllocationImplementation provider(ProviderContext context) {
    return new MockProviderFactory(cloud).create(context);
  }

  @Override
  public List<CloudOperationInfo> operations() {
    List<CloudOperationInfo> operations = new ArrayList<>();
    for (CloudOperation each : CloudOperation.values()) {
      boolean mutating = each.kind().effect() != CallKind.Effect.READ;
      operations.add(new CloudOperationInfo(each.wire(), mutating, latency(each, mutating)));
    }
    return operations;
  }

  /** As performance.md has them. */
  private static Duration latency(CloudOperation operation, boolean mutating) {
    return Duration.ofMillis(
        switch (operation) {
          case ATTACH_NETWORK_INTERFACE -> 1_500;
          case MODIFY_NETWORK_INTERFACE_ATTRIBUTE -> 300;
          case ASSIGN_PRIVATE_IP_ADDRESSES, UNASSIGN_PRIVATE_IP_ADDRESSES -> 800;
          default -> mutating ? 600 : 150;
        });
  }

  @Override
  public Map<String, ShownInterface> shownInterfaces(NodeResource resource) {
    return eniStatus(resource);
  }

  /** The content of {@code status.eni}, for each cloud that writes this section. */
  public static Map<String, ShownInterface> eniStatus(NodeResource resource) {
    Map<String, ShownInterface> shown = new TreeMap<>();
    resource
        .eniStatus()
        .ifPresent(
            status ->
                status
                    .enis()
                    .forEach(
                        (id, eni) ->
                            shown.put(
                                id,
                                new ShownInterface(
                                    AddressSet.copyOf(eni.addresses()), eni.prefixes()))));
    return shown;
  }

  @Override
  public String section() {
    return "eni";
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
  public String foreignInterface(String subnetId) {
    String id = "eni-stranger" + ++foreign;
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
                Optional.empty(),
                HeldIpv6.NONE))
        .orElseThrow(() -> new IllegalStateException(last + " of " + subnetId + " is taken"))
        .id();
  }

  @Override
  public void neighboursTake(double share, double seconds) {
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
    return cloud.networkInterface(interfaceId).map(InterfaceCache::seen);
  }

  @Override
  public List<CloudInterface> attachedTo(String instanceId) {
    return shown.of(instanceId, cloud.attachedTo(instanceId));
  }

  @Override
  public boolean isOurs(CloudInterface one) {
    return CLUSTER_NAME.equals(one.tags().get(CLUSTER_TAG)) && one.tags().containsKey(TOKEN_TAG);
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
