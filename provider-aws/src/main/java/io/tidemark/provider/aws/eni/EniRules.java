package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.plan.AllocationPlanner;
import io.tidemark.provider.kit.plan.SlotModel;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.resilience.CallKind;
import java.util.Comparator;
import java.util.List;

/**
 * EC2's decisions about a plan (provider-aws 3.2): the lowest device index is filled first, and the
 * fastest path may create at the same time. Pure.
 *
 * @param selector where a new interface may go
 * @param ipv6Wanted whether the node shall have an IPv6 prefix and has none
 */
record EniRules(
    EniSlots slots,
    InstanceView<AwsEni> view,
    SubnetSelector selector,
    List<Pool<AwsSubnet>> pools,
    boolean ipv6Wanted)
    implements AllocationPlanner.Rules<AwsEni, AwsSubnet> {
  private static final Words WORDS = new Words("EC2", "prefix");

  /** The planner of one node. */
  AllocationPlanner<AwsEni, AwsSubnet> planner() {
    return new AllocationPlanner<>(
        slots,
        view,
        eni -> pools.stream().filter(pool -> pool.id().equals(eni.pool())).findFirst(),
        this);
  }

  @Override
  public Words words() {
    return WORDS;
  }

  @Override
  public Comparator<AwsEni> order() {
    return Comparator.comparingInt(AwsEni::index).thenComparing(AwsEni::id);
  }

  @Override
  public CallKind assign() {
    return Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES.kind();
  }

  @Override
  public CallKind create() {
    return Ec2Operation.CREATE_NETWORK_INTERFACE.kind();
  }

  @Override
  public boolean offersBoth() {
    return selector.settings().fastest();
  }

  @Override
  public List<Pool<AwsSubnet>> eligible() {
    return selector.eligible(pools, 1 + SlotModel.PRE_ALLOCATE, slots.type().ipv4PerInterface());
  }

  /** IPv6 is never asked for where the subnet has none: it would fail the IPv4 of the request. */
  @Override
  public int ipv6In(Pool<AwsSubnet> pool) {
    return ipv6Wanted && pool.subnet().ipv6().isPresent() ? 1 : 0;
  }

  @Override
  public String whyNoPool() {
    return selector.why(pools);
  }

  @Override
  public String allTaken() {
    return slots.type().name()
        + " has "
        + view.interfaces().stream().filter(AwsEni::onCard0).count()
        + " of "
        + slots.interfacesMax(view.interfaces())
        + " interfaces on network card 0, none with room"
        + (slots.firstIndex() > 0
            ? " at device index " + slots.firstIndex() + " or above, those for pods"
            : "");
  }
}
