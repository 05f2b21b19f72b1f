package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.ip.Cidr;
import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.InterfaceNode;
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
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Changes to EC2 for one node: each change looks whether its plan still fits what is known now,
 * then hands it to a saga. A change that does not fit gives its token back.
 */
final class EniChanges {
  private final EniAccount account;
  private final Runnable repairMarks;
  private final EniNode node;
  private final InstanceId instance;

  EniChanges(EniAccount account, Runnable repairMarks, EniNode node) {
    this.account = account;
    this.repairMarks = repairMarks;
    this.node = node;
    this.instance = node.instance();
  }

  /** Adds addresses to the interface of the plan. */
  CompletionStage<AllocationOutcome> allocate(AllocationAction action, CallContext context) {
    Optional<InstanceView<AwsEni>> view = node.view();
    Optional<EniSlots> slots = node.slots();
    Optional<AwsEni> eni = view.flatMap(now -> action.onInterface().flatMap(now::find));
    Optional<Pool<AwsSubnet>> pool = eni.flatMap(found -> account.pools.find(found.pool()));
    boolean leaving = eni.filter(found -> node.use().isLeaving(found.id())).isPresent();
    if (node.untouchable().isPresent() || slots.isEmpty() || pool.isEmpty() || leaving) {
      return InterfaceNode.stale(context, "the interface of the plan is not known any more");
    }
    if (account.idle.contains(instance)) {
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
            instance, true, new Change.Edited<>(eni.id(), each -> each.plusIpv6(prefixes)));
    return ladder.isEmpty()
        ? done(
            new AllocationOutcome.Allocated(
                List.of(), Optional.empty(), Optional.empty(), generation))
        : assignIpv4(eni, ladder, context);
  }

  private CompletionStage<AllocationOutcome> withoutIpv6(
      AwsEni eni, Failure failure, List<Rung<AwsSubnet>> ladder, CallContext context) {
    if (failure.kind() == Failure.Kind.LOST) {
      account.inventory.wrote(instance, false, new Change.Unclear<>());
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
        .run(instance, eni, ladder, context);
  }

  /** Creates an interface and attaches it. */
  CompletionStage<AllocationOutcome> create(AllocationAction action, CallContext context) {
    Optional<InstanceView<AwsEni>> view = node.view();
    Optional<EniSlots> slots = node.slots();
    if (node.untouchable().isPresent() || slots.isEmpty() || view.isEmpty()) {
      return InterfaceNode.stale(context, "the instance of the plan is not known any more");
    }
    if (account.idle.contains(instance)) {
      return whenRunning(context, () -> create(action, context));
    }
    if (account.creationStop.isOn()) {
      return InterfaceNode.refused(
          context,
          Failure.of(
              Failure.Kind.CAPACITY,
              "quotaExceeded",
              "the region's quota of network interfaces was used up a short while ago"));
    }
    return new NextInterface(account, instance, node.spec(), node.deleteOnTermination())
        .choose(action, node.rules(slots.get(), view.get()), slots.get(), view.get().interfaces())
        .match(
            choice ->
                new InterfaceCreation<>(
                        account.state,
                        new InterfaceCreation.Target<>(
                            account.owner.cluster(),
                            instance,
                            choice.target().attached(),
                            slots.get()),
                        new EniCreation(
                            account,
                            EniCreation.Owner.cluster(account, repairMarks, instance),
                            choice.target(),
                            context),
                        choice.ladder(),
                        context)
                    .run(),
            impossible -> {
              context.giveBackToken();
              return done(impossible);
            });
  }

  /**
   * A stopped instance keeps what it has and gets nothing, although EC2 would give it: it is asked
   * about once more, for it may have been started since the last read.
   */
  private CompletionStage<AllocationOutcome> whenRunning(
      CallContext context, Supplier<CompletionStage<AllocationOutcome>> allocation) {
    return account
        .idle
        .sync(instance, context)
        .thenCompose(
            outcome -> {
              if (outcome instanceof SyncOutcome.Failed failed) {
                return InterfaceNode.refused(context, failed.failure());
              }
              if (account.idle.contains(instance)) {
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
    return account.idle.contains(instance)
        ? whenRunning(context, () -> associate(tags, context))
        : account.binding.run(
            instance,
            primary.get(),
            new ElasticAddresses(account.ec2, primary.get(), context),
            tags,
            context);
  }
}
