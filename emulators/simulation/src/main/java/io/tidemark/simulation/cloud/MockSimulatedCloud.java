package io.tidemark.simulation.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.mock.MockProviderFactory;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resilience.CallKind;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ProviderContext;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The mock cloud in a simulation. */
public final class MockSimulatedCloud implements SimulatedCloud {
  /** A loose interface is seen twice, this far apart, before it is collected. */
  private static final Duration BETWEEN_SIGHTINGS = Duration.ofSeconds(60);

  private static final String CLUSTER_TAG = "tidemark.io/cluster";
  private static final String TOKEN_TAG = "tidemark.io/token";

  private final Scenario scenario;
  private final MockCloud cloud;
  private final List<CloudChange> changes = new ArrayList<>();
  private final Map<String, Seen> shown = new HashMap<>();
  private int foreign;

  /** An account with the scenario's networks and instance types and nothing else. */
  public MockSimulatedCloud(Scenario scenario, VirtualTime time, CloudTemper temper, long seed) {
    this.scenario = scenario;
    this.cloud = ScenarioAccount.of(scenario, time, temper, seed);
    cloud.state().observe((before, after) -> noted(before.orElse(null), after.orElse(null)));
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
          case ATTACH_INTERFACE -> 1_500;
          case ASSIGN_ADDRESSES, UNASSIGN_ADDRESSES -> 800;
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
    return cloud
        .state()
        .launch(launch.instanceId(), launch.instanceType(), launch.subnetId(), Map.of())
        .instanceId();
  }

  @Override
  public void running(String instanceId, boolean running) {
    cloud.state().running(instanceId, running);
  }

  @Override
  public void terminate(String instanceId) {
    cloud.state().terminate(instanceId);
  }

  @Override
  public NodeResource introduced(NodeResource bare, Launch launch) {
    SubnetShape subnet = scenario.subnet(launch.subnetId()).orElseThrow();
    return bare.withEniSpec(
        EniSpec.of(
            launch.instanceType(),
            OptionalInt.of(launch.firstInterfaceIndex()),
            subnet.id(),
            subnet.vpcId(),
            subnet.zone()));
  }

  @Override
  public String foreignInterface(String subnetId) {
    String id = "eni-stranger" + ++foreign;
    SubnetShape subnet = scenario.subnet(subnetId).orElseThrow();
    IpAddress last = subnet.cidr().last().plus(-1);
    MockInterface stranger =
        MockInterface.loose(
            new InterfaceId(id),
            new PoolId(subnetId),
            new MockInterface.Fixed("somebody else's", List.of(), Map.of("owner", "somebody else")),
            last);
    if (cloud.state().adopt("", "", List.of(), List.of(stranger)).isPresent()) {
      throw new IllegalStateException(last + " of " + subnetId + " is taken");
    }
    changes.removeIf(change -> change.interfaceId().equals(id)); // no operator's creation
    return id;
  }

  @Override
  public void neighboursTake(double share, double seconds) {
    for (CloudOperation each : CloudOperation.values()) {
      cloud.drainBucket(each, share * seconds * each.refillPerSecond());
    }
  }

  @Override
  public List<CloudChange> drainChanges() {
    List<CloudChange> drained = List.copyOf(changes);
    changes.clear();
    return drained;
  }

  private void noted(@Nullable MockInterface before, @Nullable MockInterface after) {
    if (before == null && after != null) {
      boolean attached = after.isAttached();
      note(
          attached ? CloudChange.Kind.INTERFACE_ATTACHED : CloudChange.Kind.INTERFACE_CREATED,
          after,
          after.taken());
    } else if (before != null && after == null) {
      note(CloudChange.Kind.INTERFACE_DELETED, before, before.taken());
    } else if (before != null && after != null) {
      AddressSet added = after.taken().minus(before.taken());
      AddressSet removed = before.taken().minus(after.taken());
      if (!before.isAttached() && after.isAttached()) {
        note(CloudChange.Kind.INTERFACE_ATTACHED, after, after.taken());
      } else if (!added.isEmpty()) {
        note(CloudChange.Kind.ADDRESSES_ADDED, after, added);
      } else if (!removed.isEmpty()) {
        note(CloudChange.Kind.ADDRESSES_REMOVED, after, removed);
      } else {
        note(CloudChange.Kind.ATTRIBUTE_CHANGED, after, AddressSet.of());
      }
    }
  }

  private void note(CloudChange.Kind kind, MockInterface of, AddressSet addresses) {
    changes.add(new CloudChange(kind, of.instanceId(), of.id().text(), addresses));
  }

  @Override
  public Optional<CloudInterface> networkInterface(String interfaceId) {
    return cloud.state().find(new InterfaceId(interfaceId)).map(MockSimulatedCloud::seen);
  }

  /** The interfaces of an instance as the cloud gave them, and as they were shown. */
  private record Seen(List<MockInterface> given, List<CloudInterface> shown) {
    /** The former view of this very interface, else a new one. */
    @SuppressWarnings("ReferenceEquality")
    CloudInterface shown(MockInterface each) {
      for (int i = 0; i < given.size(); i++) {
        if (given.get(i) == each) {
          return shown.get(i);
        }
      }
      return seen(each);
    }

    @SuppressWarnings("ReferenceEquality")
    boolean isOf(List<MockInterface> now) {
      return given == now;
    }
  }

  @Override
  public List<CloudInterface> attachedTo(String instanceId) {
    List<MockInterface> now = cloud.state().attachedTo(instanceId);
    Seen before = shown.getOrDefault(instanceId, new Seen(List.of(), List.of()));
    if (!before.isOf(now)) {
      before = new Seen(now, now.stream().map(before::shown).toList());
      shown.put(instanceId, before);
    }
    return before.shown();
  }

  private static CloudInterface seen(MockInterface each) {
    return new CloudInterface(
        each.id().text(),
        each.pool().text(),
        each.instanceId(),
        each.index(),
        true,
        each.fixed().primary().orElseThrow(),
        each.singles(),
        each.prefixes(),
        each.fixed().tags());
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
    Pool<MockSubnet> subnet = cloud.state().subnet(id);
    return new CloudSubnet(id, subnet.subnet().networkId(), subnet.zone(), subnet.free());
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
