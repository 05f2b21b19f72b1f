package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.ip.Cidr;
import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.InterfaceNode;
import io.tidemark.provider.kit.pool.Ladder;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.provider.kit.step.AddressAssignment;
import io.tidemark.provider.kit.step.InterfaceCreation;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.SyncOutcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Changes to EC2 for one node: each change looks whether its plan still fits what is known now,
 * then hands it to a saga. A change that does not fit gives its token back.
 */
record EniChanges(EniAccount account, Runnable repairMarks, EniNode node) {

  CompletionStage<AllocationOutcome> allocate(AllocationAction action, CallContext context) {
    Optional<InstanceView<AwsEni>> view = node.view();
    Optional<EniSlots> slots = node.slots();
    Optional<AwsEni> eni = view.flatMap(now -> action.onInterface().flatMap(now::find));
    Optional<Pool<AwsSubnet>> pool = eni.flatMap(found -> account.pools.find(found.pool()));
    boolean leaving = eni.filter(found -> node.use().isLeaving(found.id())).isPresent();
    if (node.untouchable().isPresent() || slots.isEmpty() || pool.isEmpty() || leaving) {
      return InterfaceNode.stale(context, "the interface of the plan is not known any more");
    }
    if (account.idle.contains(instance())) {
      return whenRunning(context, () -> allocate(action, context));
    }
    List<Rung<AwsSubnet>> ladder =
        EniAccount.LADDER.onInterface(
            action.ipv4(), pool.get(), slots.get().freeSlots(eni.orElseThrow()));
    return assign(eni.orElseThrow(), ladder, action.ipv6Prefixes(), context);
  }

  /** IPv6 prefixes, where wanted, come first and never fail the IPv4 that follows. */
  private CompletionStage<AllocationOutcome> assign(
      AwsEni eni, List<Rung<AwsSubnet>> ladder, int ipv6Prefixes, CallContext context) {
    return ipv6Prefixes > 0
        ? account
            .ec2
            .assignIpv6Prefixes(eni.id(), ipv6Prefixes, context)
            .thenCompose(
                result ->
                    result.match(
                        prefixes -> haveIpv6(eni, prefixes, ladder, context),
                        failure -> withoutIpv6(eni, failure, ladder, context)))
        : assignIpv4(eni, ladder, context);
  }

  private CompletionStage<AllocationOutcome> haveIpv6(
      AwsEni eni, List<Cidr> prefixes, List<Rung<AwsSubnet>> ladder, CallContext context) {
    long generation =
        account.inventory.wrote(
            instance(), true, new Change.Edited<>(eni.id(), each -> each.plusIpv6(prefixes)));
    return ladder.isEmpty()
        ? done(
            new AllocationOutcome.Allocated(
                List.of(), Optional.empty(), Optional.empty(), generation))
        : assignIpv4(eni, ladder, context);
  }

  private CompletionStage<AllocationOutcome> withoutIpv6(
      AwsEni eni, Failure failure, List<Rung<AwsSubnet>> ladder, CallContext context) {
    if (failure.kind() == Failure.Kind.LOST) {
      account.inventory.wrote(instance(), false, new Change.Unclear<>());
      return done(new AllocationOutcome.Unknown(failure));
    }
    return ladder.isEmpty()
        ? done(EniAccount.FAILURES.outcome(failure, eni.pool()))
        : assignIpv4(eni, ladder, context);
  }

  private CompletionStage<AllocationOutcome> assignIpv4(
      AwsEni eni, List<Rung<AwsSubnet>> ladder, CallContext context) {
    return new AddressAssignment<>(
            account.state, (Rung<AwsSubnet> rung) -> account.ec2.assign(eni.id(), rung, context))
        .run(instance(), eni, ladder, context);
  }

  /**
   * Creates an interface and attaches it, where and with what is known to be best (provider-aws
   * 2.2, 2.4, 2.4a).
   */
  CompletionStage<AllocationOutcome> create(AllocationAction action, CallContext context) {
    Optional<InstanceView<AwsEni>> view = node.view();
    Optional<EniSlots> slots = node.slots();
    if (node.untouchable().isPresent() || slots.isEmpty() || view.isEmpty()) {
      return InterfaceNode.stale(context, "the instance of the plan is not known any more");
    }
    if (account.idle.contains(instance())) {
      return whenRunning(context, () -> create(action, context));
    }
    if (account.isQuotaUsedUp()) {
      return InterfaceNode.refused(context, EniAccount.QUOTA_USED_UP);
    }
    return create(action, slots.get(), view.get(), context);
  }

  private CompletionStage<AllocationOutcome> create(
      AllocationAction action, EniSlots slots, InstanceView<AwsEni> view, CallContext context) {
    List<AwsEni> attached = view.interfaces();
    OptionalInt index = slots.firstFreeIndex(attached, 0);
    if (index.isEmpty() || slots.emptySlots(attached) <= 0) {
      context.giveBackToken();
      return done(new AllocationOutcome.LimitReached("outOfInterfaces"));
    }
    EniRules rules = node.rules(slots, view);
    List<String> groups =
        SecurityGroupSelector.of(
            node.spec(), attached, rules.selector().vpcId(), account.securityGroups);
    if (groups.isEmpty() || groups.size() > account.settings.securityGroupsMax()) {
      return InterfaceNode.refused(context, wrongGroups(groups));
    }
    EniCreation.Target target =
        new EniCreation.Target(
            instance(),
            slots,
            attached,
            index.getAsInt(),
            groups,
            action.ipv6Prefixes(),
            tracking(attached));
    List<Rung<AwsSubnet>> ladder =
        EniAccount.LADDER.onNewInterface(
            action.ipv4(),
            rules.eligible(),
            new Ladder.NewInterface(
                slots.slots(), slots.primaryUsable(), slots.delegated(attached)),
            pool -> action.ipv6Prefixes() > 0 && pool.subnet().ipv6().isPresent());
    return new InterfaceCreation<>(
            account.state,
            new InterfaceCreation.Target<>(account.owner.cluster(), instance(), attached, slots),
            new EniCreation(
                account,
                EniCreation.Owner.cluster(account, repairMarks, instance()),
                target,
                context),
            ladder,
            context)
        .run();
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
                + instance()
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

  /**
   * A stopped instance keeps what it has and gets nothing, although EC2 would give it: it is asked
   * about once more, for it may have been started since the last read.
   */
  private CompletionStage<AllocationOutcome> whenRunning(
      CallContext context, Supplier<CompletionStage<AllocationOutcome>> allocation) {
    return account
        .idle
        .sync(instance(), context)
        .thenCompose(
            outcome -> {
              if (outcome instanceof SyncOutcome.Failed failed) {
                return InterfaceNode.refused(context, failed.failure());
              }
              if (account.idle.contains(instance())) {
                context.giveBackToken();
                return done(new AllocationOutcome.InstanceNotRunning());
              }
              return allocation.get();
            });
  }

  /** Gives a public address of these tags to the instance's own interface (7.1). */
  CompletionStage<AllocationOutcome> associate(Map<String, String> tags, CallContext context) {
    Optional<AwsEni> primary = node.view().flatMap(now -> AwsEni.primaryOf(now.interfaces()));
    if (node.untouchable().isPresent() || primary.isEmpty()) {
      return InterfaceNode.stale(context, "no primary ENI found");
    }
    return account.idle.contains(instance())
        ? whenRunning(context, () -> associate(tags, context))
        : account.binding.run(
            instance(),
            primary.get(),
            new ElasticAddresses(account.ec2, primary.get(), context),
            tags,
            context);
  }

  private InstanceId instance() {
    return node.instance();
  }
}
