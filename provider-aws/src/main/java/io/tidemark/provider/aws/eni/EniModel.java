package io.tidemark.provider.aws.eni;

import io.tidemark.demand.GrowthKind;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.plan.CapacityModel;
import io.tidemark.provider.kit.pool.Ladder;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PlannedInstance;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** EC2's decisions for an instance of a plan of capacity: singles and prefixes of IPv4. Pure. */
public record EniModel(InstanceType type, NodeSettings node, EniSpec spec, EniSettings settings)
    implements CapacityModel<AwsEni, AwsSubnet> {
  /** The first four and the last address of a subnet are EC2's. */
  private static final int KEPT = 5;

  private static final int LARGEST_SUBNET = 16;

  /** Units of network address usage of a VPC; beyond 64,000 the quota has to be raised. */
  private static final int NETWORK_MAX = 256_000;

  private static final int ROOM = 1 << 22;
  private static final String SITE = "plan";

  /** Fills a new instance. */
  public PlannedInstance fill(PlannedInstance.Passes passes, CallPolicy policy) {
    return fill(passes, policy, KEPT, LARGEST_SUBNET, NETWORK_MAX);
  }

  @Override
  public EniSlots slots(List<AwsEni> attached) {
    return EniSlots.of(type, spec, node, settings, OptionalInt.empty());
  }

  @Override
  public AllocationAction plan(List<AwsEni> attached) {
    Networks networks = Networks.NONE.withSubnets(List.of(pool().subnet()));
    EniSlots slots = slots(attached);
    return new EniRules(
            slots,
            new InstanceView<>(0, attached, false),
            SubnetSelector.of(spec, attached, networks, "", slots.settings()),
            List.of(pool()),
            false)
        .planner()
        .plan();
  }

  @Override
  public Ladder ladder() {
    return EniAccount.LADDER;
  }

  @Override
  public Pool<AwsSubnet> pool() {
    return EniAccount.pool(
        new AwsSubnet(
            new PoolId(settings.subnetIds().stream().findFirst().orElse(SITE)),
            SITE,
            Cidr.parse("10.0.0.0/8"),
            Optional.empty(),
            true,
            SITE,
            "",
            "",
            ROOM,
            settings.subnetTags()));
  }

  @Override
  public AwsEni next(List<AwsEni> attached) {
    int index = attached.isEmpty() ? 0 : slots(attached).firstFreeIndex(attached, 0).orElseThrow();
    return new AwsEni(
        new InterfaceId("eni-" + (char) ('a' + index)),
        new AwsEni.Place("", 0, index, true),
        AwsEni.Kind.ORDINARY,
        pool().id(),
        "",
        "",
        Optional.of(Ipv4Address.of(11, 0, 0, index)),
        AddressSet.of(),
        List.of(),
        List.of(),
        List.of(),
        Map.of(),
        Optional.empty(),
        ConnectionTracking.DEFAULT);
  }

  @Override
  public List<CallKind> requests(AllocationAction action) {
    Stream<Ec2Operation> sent =
        action.onInterface().isPresent()
            ? Stream.of(Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES)
            : Stream.of(
                    Ec2Operation.CREATE_NETWORK_INTERFACE,
                    Ec2Operation.CREATE_NETWORK_INTERFACE_PERMISSION,
                    Ec2Operation.ATTACH_NETWORK_INTERFACE,
                    Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE)
                .filter(
                    each ->
                        each != Ec2Operation.CREATE_NETWORK_INTERFACE_PERMISSION
                            || settings.scope().crossAccount());
    return sent.map(Ec2Operation::kind).toList();
  }

  @Override
  public Duration usual(AllocationAction action) {
    return (action.onInterface().isPresent() ? GrowthKind.ADDRESSES : GrowthKind.INTERFACE).usual();
  }
}
