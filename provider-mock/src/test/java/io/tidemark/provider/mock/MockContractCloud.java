package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.CloudException.Code;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.CloudSettings;
import io.tidemark.provider.mock.cloud.FaultPlan;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resilience.CallKind;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.contract.ContractCloud;
import io.tidemark.spi.contract.EniNodes;
import io.tidemark.spi.contract.NodeShape;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The mock cloud as the contract sees it: one VPC {@code vpc-a}, no buckets. */
final class MockContractCloud implements ContractCloud {
  private static final Set<String> CHANGES =
      Stream.of(CloudOperation.values())
          .filter(each -> each.kind().effect() != CallKind.Effect.READ)
          .map(CloudOperation::wire)
          .collect(Collectors.toSet());

  private final MockCloud cloud;
  private final Map<String, Cidr> subnets = new HashMap<>();
  private Set<String> throttled = Set.of();
  private Duration lag = Duration.ZERO;

  MockContractCloud(VirtualTime time) {
    cloud = new MockCloud(new CloudSettings(1, Map.of(), 0, LAG_MAX, new Script()), time);
  }

  /** The faults that the test wants now. */
  private final class Script implements FaultPlan {
    @Override
    public FaultPlan.Fault faultOf(CloudOperation operation, String subject) {
      return throttled.contains(operation.wire())
          ? FaultPlan.Fault.refuse(Code.REQUEST_LIMIT_EXCEEDED)
          : FaultPlan.Fault.NONE;
    }

    @Override
    public Duration lag() {
      return lag;
    }
  }

  @Override
  public AllocationImplementation provider(ProviderContext context) {
    return new MockProviderFactory(cloud).create(context);
  }

  @Override
  public void subnet(String id, Cidr cidr) {
    subnets.put(id, cidr);
    cloud.state().subnet(MockSubnet.of(id, cidr.toString()));
  }

  @Override
  public void securityGroup(String id, Map<String, String> tags) {
    // interfaces may name any
  }

  @Override
  public void publicAddress(IpAddress address, Map<String, String> tags) {
    // the cloud has none
  }

  @Override
  public NodeResource launch(String node, NodeShape shape, String subnet) {
    String instance = "i-" + node;
    cloud
        .state()
        .launch(instance, EniNodes.instanceType(shape), subnet, EniNodes.firstInterfaceTags(shape));
    return EniNodes.node(node, instance, shape);
  }

  @Override
  public String unknownInstance() {
    return "i-00000000000000bad";
  }

  @Override
  public String providerId(String instanceId) {
    return "mock:///zone-a/" + instanceId;
  }

  @Override
  public List<Cidr> aliasRanges(String instanceId) {
    return cloud.state().attachedTo(instanceId).get(0).aliasRanges();
  }

  @Override
  public List<Capacity> capacities() {
    return EniNodes.capacities();
  }

  @Override
  public boolean addsWhileStopped() {
    return true;
  }

  @Override
  public String withUnknownMembers(String json) {
    return EniNodes.withUnknownMembers(json);
  }

  @Override
  public void leaveFree(String subnetId, int left) {
    int free = cloud.state().subnet(subnetId).free();
    int taken = 0;
    // Every other address first, so that no block survives.
    for (int parity = 0; parity < 2; parity++) {
      AddressSet all = AddressSet.ofRange(Objects.requireNonNull(subnets.get(subnetId)));
      for (int i = parity; i < all.size() && taken < free - left; i += 2) {
        taken += cloud.state().occupy(subnetId, AddressSet.of(all.at(i)));
      }
    }
  }

  @Override
  public void stop(String instanceId) {
    cloud.state().running(instanceId, false);
  }

  @Override
  public void restart(String instanceId) {
    cloud.state().running(instanceId, true);
  }

  @Override
  public void terminate(String instanceId) {
    cloud.state().terminate(instanceId);
  }

  @Override
  public void throttle(Set<String> operations) {
    throttled = Set.copyOf(operations);
  }

  @Override
  public void lag(Duration behind) {
    lag = behind;
  }

  @Override
  public List<TrueInterface> interfaces(String instanceId) {
    return cloud.state().attachedTo(instanceId).stream().map(MockContractCloud::shown).toList();
  }

  private static TrueInterface shown(MockInterface each) {
    return new TrueInterface(
        each.id().text(),
        each.pool().text(),
        each.fixed().primary().orElseThrow(),
        each.singles(),
        each.prefixes(),
        each.fixed().securityGroups(),
        true);
  }

  @Override
  public int unattachedInterfaces() {
    return cloud.state().attachedTo("").size();
  }

  @Override
  public Map<String, Long> changes() {
    return cloud.calls().entrySet().stream()
        .filter(each -> CHANGES.contains(each.getKey().wire()))
        .collect(
            Collectors.toMap(
                each -> each.getKey().wire(), Map.Entry::getValue, Long::sum, TreeMap::new));
  }

  @Override
  public Set<String> changingOperations() {
    return CHANGES;
  }
}
