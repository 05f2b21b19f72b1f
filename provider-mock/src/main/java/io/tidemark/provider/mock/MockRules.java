package io.tidemark.provider.mock;

import io.tidemark.provider.kit.plan.AllocationPlanner;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.PoolLedger;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resilience.CallKind;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.Tags;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The mock cloud's decisions about a plan: the lowest index is filled first. Immutable.
 *
 * <p>A new interface goes to subnets of the node's network and zone. Ids, else tags, when the node
 * names any, are hard. Among the eligible the most free goes first, then the lowest id
 * (node-manager 13 D-18); without ids and tags the node's own subnet goes before all while it holds
 * a whole interface.
 */
record MockRules(MockSlots slots, List<MockInterface> attached, PoolLedger<MockSubnet> pools)
    implements AllocationPlanner.Rules<MockInterface, MockSubnet> {
  @Override
  public Comparator<MockInterface> order() {
    return Comparator.comparingInt(MockInterface::index).thenComparing(MockInterface::id);
  }

  @Override
  public CallKind assign() {
    return CloudOperation.ASSIGN_ADDRESSES.kind();
  }

  @Override
  public CallKind create() {
    return CloudOperation.CREATE_INTERFACE.kind();
  }

  private String said(String bySpec, Function<MockSubnet, String> bySubnet) {
    Optional<MockSubnet> home =
        attached.stream().min(order()).flatMap(each -> pools.find(each.pool())).map(Pool::subnet);
    return bySpec.isEmpty() ? home.map(bySubnet).orElse("") : bySpec;
  }

  private String network() {
    return said(slots.spec().vpcId(), MockSubnet::networkId);
  }

  private String zone() {
    return said(slots.spec().availabilityZone(), MockSubnet::zone);
  }

  /** Every subnet that the node may use, full ones included, best first. */
  @Override
  public List<Pool<MockSubnet>> eligible() {
    String network = network();
    String zone = zone();
    return pools.all().stream()
        .filter(each -> each.subnet().networkId().equals(network) && each.zone().equals(zone))
        .filter(each -> isNamed(each.subnet()))
        .sorted(
            Comparator.comparing((Pool<MockSubnet> each) -> !isPreferred(each))
                .thenComparing(Pool::free, Comparator.reverseOrder())
                .thenComparing(Pool::id))
        .toList();
  }

  private boolean isNamed(MockSubnet subnet) {
    EniSpec spec = slots.spec();
    return spec.subnetIds().isEmpty()
        ? new Tags(subnet.tags()).matches(spec.subnetTags())
        : spec.subnetIds().contains(subnet.id());
  }

  private boolean isPreferred(Pool<MockSubnet> pool) {
    EniSpec spec = slots.spec();
    return spec.subnetIds().isEmpty()
        && spec.subnetTags().isEmpty()
        && pool.id().text().equals(spec.nodeSubnetId())
        && pool.free() > slots.slots();
  }

  @Override
  public String whyNoPool() {
    EniSpec spec = slots.spec();
    String ids = spec.subnetIds().isEmpty() ? "" : ", subnet-ids " + spec.subnetIds();
    String tags = spec.subnetTags().isEmpty() ? "" : ", subnet-tags " + spec.subnetTags();
    return "no subnet matches VPC " + network() + ", zone " + zone() + ids + tags;
  }

  @Override
  public String allTaken() {
    int first = slots.firstIndex();
    String where = first > 0 ? " at device index " + first + " or above, those for pods" : "";
    String type = "'" + slots.spec().instanceType() + "' has ";
    String part = attached.size() + " of " + slots.limits().interfaces() + " interfaces";
    return type + part + ", none with room" + where;
  }
}
