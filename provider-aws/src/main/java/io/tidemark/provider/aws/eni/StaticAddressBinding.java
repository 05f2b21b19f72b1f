package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.ElasticAddress;
import io.tidemark.provider.kit.Change;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Binds an elastic address chosen by tags to the primary interface, unless it has one already
 * (provider-aws 7.1). Only addresses that nobody has are taken; when another node was faster, the
 * next candidate is tried.
 */
final class StaticAddressBinding {
  private final EniAccount account;
  private final InstanceId instance;
  private final Eni primary;
  private final CallContext context;

  /** Made for one attempt, used once. */
  StaticAddressBinding(EniAccount account, InstanceId instance, Eni primary, CallContext context) {
    this.account = account;
    this.instance = instance;
    this.primary = primary;
    this.context = context;
  }

  CompletionStage<AllocationOutcome> run(Map<String, String> tags) {
    if (primary.publicAddress().isPresent()) {
      context.giveBackToken();
      return done(bound(primary.publicAddress().get()));
    }
    if (tags.isEmpty()) {
      context.giveBackToken();
      return refused(
          Failure.of(Failure.Kind.CONFIGURATION, "noStaticAddress", "no EIP tags were provided"));
    }
    return account
        .ec2
        .elasticAddresses(tags, context)
        .thenCompose(result -> result.match(found -> choose(tags, found), this::refused));
  }

  private CompletionStage<AllocationOutcome> choose(
      Map<String, String> tags, List<ElasticAddress> tagged) {
    List<ElasticAddress> free = tagged.stream().filter(each -> !each.associated()).toList();
    return next(tags, free.iterator());
  }

  private CompletionStage<AllocationOutcome> next(
      Map<String, String> tags, Iterator<ElasticAddress> free) {
    Optional<IpAddress> own = primary.primary();
    while (free.hasNext() && own.isPresent()) {
      ElasticAddress candidate = free.next();
      if (account.elasticInUse.add(candidate.allocationId())) {
        return associate(tags, candidate, own.get(), free);
      }
    }
    return refused(
        Failure.of(
            Failure.Kind.CAPACITY,
            "noStaticAddress",
            "no unassociated EIPs found for tags " + tags));
  }

  private CompletionStage<AllocationOutcome> associate(
      Map<String, String> tags,
      ElasticAddress address,
      IpAddress own,
      Iterator<ElasticAddress> others) {
    return account
        .ec2
        .associate(address, primary.id(), own, context)
        .whenComplete((result, thrown) -> account.elasticInUse.remove(address.allocationId()))
        .thenCompose(
            result ->
                result.match(
                    id -> done(bound(address.address())),
                    failure ->
                        failure.condition().equals(Ec2Condition.ADDRESS_CONFLICT)
                            ? next(tags, others)
                            : refused(failure)));
  }

  private AllocationOutcome bound(IpAddress address) {
    long generation =
        account.inventory.wrote(
            instance,
            true,
            new Change.Edited<>(primary.id(), eni -> eni.withPublicAddress(address)));
    return new AllocationOutcome.Allocated(
        List.of(), Optional.empty(), Optional.of(address), generation);
  }

  private CompletionStage<AllocationOutcome> refused(Failure failure) {
    if (failure.kind() == Failure.Kind.LOST) {
      account.inventory.wrote(instance, false, new Change.Unclear<>());
      return done(new AllocationOutcome.Unknown(failure));
    }
    return done(
        failure.kind() == Failure.Kind.NOT_RUNNING
            ? new AllocationOutcome.InstanceNotRunning()
            : new AllocationOutcome.Refused(failure));
  }
}
