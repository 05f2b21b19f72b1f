package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.provider.kit.pool.Ladder;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Where a node's next interface is to go and what to ask for, from what is known (provider-aws 2.2,
 * 2.4, 2.4a). Pure.
 */
final class NextInterface {
  private final EniAccount account;
  private final InstanceId instance;
  private final EniSpec spec;
  private final boolean deleteOnTermination;

  NextInterface(
      EniAccount account, InstanceId instance, EniSpec spec, boolean deleteOnTermination) {
    this.account = account;
    this.instance = instance;
    this.spec = spec;
    this.deleteOnTermination = deleteOnTermination;
  }

  /** A choice, or why there is none. */
  sealed interface Result {
    /** To be created, by the first rung of the ladder that has room. */
    record Choice(CreationTarget target, List<Rung<AwsSubnet>> ladder) implements Result {}

    /** Nothing can be created. */
    record None(AllocationOutcome why) implements Result {}

    /** One function per case. */
    default <R> R match(Function<Choice, R> choice, Function<AllocationOutcome, R> none) {
      return this instanceof Choice chosen ? choice.apply(chosen) : none.apply(((None) this).why());
    }
  }

  Result choose(AllocationAction action, EniRules rules, EniSlots slots, List<AwsEni> attached) {
    OptionalInt index = slots.firstFreeIndex(attached, 0);
    if (index.isEmpty() || slots.emptySlots(attached) <= 0) {
      return new Result.None(new AllocationOutcome.LimitReached("outOfInterfaces"));
    }
    List<String> groups =
        SecurityGroupSelector.of(spec, attached, rules.selector().vpcId(), account.securityGroups);
    if (groups.isEmpty() || groups.size() > account.settings.securityGroupsMax()) {
      return new Result.None(new AllocationOutcome.Refused(wrongGroups(groups)));
    }
    CreationTarget target =
        new CreationTarget(
            instance,
            slots,
            attached,
            index.getAsInt(),
            groups,
            deleteOnTermination,
            action.ipv6Prefixes(),
            tracking(attached));
    List<Rung<AwsSubnet>> ladder =
        EniAccount.LADDER.onNewInterface(
            action.ipv4(),
            rules.eligible(),
            new Ladder.NewInterface(
                slots.slots(), slots.primaryUsable(), slots.delegated(attached)),
            pool -> action.ipv6Prefixes() > 0 && pool.subnet().ipv6().isPresent());
    return new Result.Choice(target, ladder);
  }

  private ConnectionTracking tracking(List<AwsEni> attached) {
    return account.settings.options().copyTracking()
        ? AwsEni.primaryOf(attached).map(AwsEni::tracking).orElse(ConnectionTracking.DEFAULT)
        : ConnectionTracking.DEFAULT;
  }

  private Failure wrongGroups(List<String> groups) {
    return groups.isEmpty()
        ? Failure.of(
            Failure.Kind.CONFIGURATION,
            "unableToGetSecurityGroups",
            "neither security-groups, nor security-group-tags, nor the interface at index 0 of "
                + instance
                + " name a security group")
        : Failure.of(
            Failure.Kind.CONFIGURATION,
            "tooManySecurityGroups",
            groups.size()
                + " security groups "
                + groups
                + "; an interface can have "
                + account.settings.securityGroupsMax());
  }
}
