package io.tidemark.provider.azure.ipam;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.provider.azure.network.ArmOperation;
import io.tidemark.provider.azure.network.AzureSubnet;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.plan.AllocationPlanner;
import io.tidemark.provider.kit.plan.CapacityModel;
import io.tidemark.provider.kit.pool.Ladder;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PlannedInstance;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Azure's decisions for a machine of a plan of capacity, which has one interface. Pure.
 *
 * @param resource of a machine of a Uniform set, unless its instance id is of another kind
 */
public record AzureModel(NodeResource resource, NodeSettings node, AzureSettings settings)
    implements CapacityModel<Nic, Optional<AzureSubnet>> {
  private static final int LARGEST_SUBNET = 8;

  /** Private addresses of a virtual network; a block counts as one. */
  private static final int NETWORK_MAX = 65_536;

  private static final int ROOM = 1 << 22;

  /** Fills a new machine. */
  public PlannedInstance fill(PlannedInstance.Passes passes, CallPolicy policy) {
    int kept = AzureSubnet.RESERVED + settings.subnetReserve();
    return fill(passes, policy, kept, LARGEST_SUBNET, NETWORK_MAX);
  }

  private boolean isUniform() {
    Optional<ResourceId> id = resource.instanceId().flatMap(ResourceId::machine);
    return id.map(ResourceId::isUniformInstance).orElse(true);
  }

  @Override
  public AzureSlots slots(List<Nic> attached) {
    return AzureSlots.of(
        AzureSpecJson.of(resource),
        node,
        settings.usePrimaryAddress(),
        !isUniform() || settings.blocksOnScaleSets(),
        attached);
  }

  @Override
  public AllocationAction plan(List<Nic> attached) {
    AzureSlots slots = slots(attached);
    InstanceView<Nic> view = new InstanceView<>(0, attached, false);
    AzureRules rules = new AzureRules(slots, attached, write());
    return new AllocationPlanner<>(slots, view, nic -> Optional.of(pool()), rules).plan();
  }

  private CallKind write() {
    return (isUniform() ? ArmOperation.INSTANCE_UPDATE : ArmOperation.INTERFACE_UPDATE).kind();
  }

  @Override
  public Ladder ladder() {
    return AzureAccount.LADDER;
  }

  @Override
  public Pool<Optional<AzureSubnet>> pool() {
    return Pool.read(new PoolId("plan"), "", Optional.empty(), true, ROOM);
  }

  @Override
  public Nic next(List<Nic> attached) {
    return new Nic(
        new InterfaceId("nic"),
        "eth0",
        "00:00:00:00:00:01",
        "succeeded",
        true,
        "",
        pool().id(),
        Optional.of(Ipv4Address.of(11, 0, 0, 0)),
        AddressSet.of(),
        List.of(),
        AddressSet.of(),
        1,
        0,
        Optional.empty());
  }

  @Override
  public List<CallKind> requests(AllocationAction action) {
    return List.of(write());
  }

  @Override
  public Duration usual(AllocationAction action) {
    return AzureAccount.FIRST_POLL;
  }
}
