package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.aws.ec2.AssignedAddresses;
import io.tidemark.provider.kit.Change;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InstanceId;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Adds addresses to an attached interface: one request, or one per rung of the ladder (provider-aws
 * 3.3). IPv6 prefixes, where wanted, come first and never fail the IPv4 that follows.
 */
final class AddressAssignment {
  private final EniAccount account;
  private final InstanceId instance;
  private final Eni eni;
  private final Iterator<Rung> ladder;
  private final int ipv6Prefixes;
  private final CallContext context;

  /** Made for one attempt, used once. */
  AddressAssignment(
      EniAccount account,
      InstanceId instance,
      Eni eni,
      List<Rung> ladder,
      int ipv6Prefixes,
      CallContext context) {
    this.account = account;
    this.instance = instance;
    this.eni = eni;
    this.ladder = ladder.iterator();
    this.ipv6Prefixes = ipv6Prefixes;
    this.context = context;
  }

  CompletionStage<AllocationOutcome> run() {
    return ipv6Prefixes > 0 ? assignIpv6() : assignIpv4();
  }

  private CompletionStage<AllocationOutcome> assignIpv6() {
    return account
        .ec2
        .assignIpv6Prefixes(eni.id(), ipv6Prefixes, context)
        .thenCompose(result -> result.match(this::haveIpv6, this::withoutIpv6));
  }

  private CompletionStage<AllocationOutcome> haveIpv6(List<Cidr> prefixes) {
    long generation = account.inventory.wrote(instance, true, new AddedIpv6(eni.id(), prefixes));
    return ladder.hasNext()
        ? ask(ladder.next())
        : done(
            new AllocationOutcome.Allocated(
                List.of(), Optional.empty(), Optional.empty(), generation));
  }

  private CompletionStage<AllocationOutcome> withoutIpv6(Failure failure) {
    if (failure.kind() == Failure.Kind.LOST) {
      account.inventory.wrote(instance, false, new Change.Unclear<>());
      return done(new AllocationOutcome.Unknown(failure));
    }
    return ladder.hasNext() ? ask(ladder.next()) : done(Outcomes.of(failure, eni.pool()));
  }

  private CompletionStage<AllocationOutcome> assignIpv4() {
    if (!ladder.hasNext()) {
      context.giveBackToken();
      return done(
          new AllocationOutcome.Refused(
              Failure.of(
                  Failure.Kind.CONFLICT,
                  "nothingToAsk",
                  eni.id() + " has no room for what is left")));
    }
    return ask(ladder.next());
  }

  private CompletionStage<AllocationOutcome> ask(Rung rung) {
    account.pools.reserve(eni.pool(), rung.addresses());
    CompletionStage<CallResult<AssignedAddresses>> answer =
        rung.prefixes() > 0
            ? account.ec2.assignPrefixes(eni.id(), rung.prefixes(), context)
            : account.ec2.assignSingles(eni.id(), rung.singles(), context);
    return answer.thenCompose(
        result -> result.match(got -> assigned(rung, got), failure -> failed(rung, failure)));
  }

  /** Some emulators answer the primary address too, which is not for pods by that. */
  private CompletionStage<AllocationOutcome> assigned(Rung rung, AssignedAddresses got) {
    AddressSet singles = eni.primary().map(got.singles()::minus).orElse(got.singles());
    AttachedInterface added = new AttachedInterface(eni.id(), singles, got.prefixes());
    account.pools.settle(eni.pool(), rung.addresses(), added.size());
    if (added.size() == 0) {
      return done(
          new AllocationOutcome.Refused(
              Failure.of(Failure.Kind.TRANSIENT, "nothingAssigned", "for " + eni.id())));
    }
    long generation =
        account.inventory.wrote(
            instance, true, new Change.Added<>(eni.id(), singles, got.prefixes()));
    return done(
        new AllocationOutcome.Allocated(
            List.of(added), Optional.empty(), Optional.empty(), generation));
  }

  private CompletionStage<AllocationOutcome> failed(Rung rung, Failure failure) {
    if (failure.kind() == Failure.Kind.LOST) {
      account.pools.settle(eni.pool(), rung.addresses(), rung.addresses());
      account.inventory.wrote(instance, false, new Change.AssignLost<>(eni.id(), eni.slotsTaken()));
      return done(new AllocationOutcome.Unknown(failure));
    }
    account.pools.settle(eni.pool(), rung.addresses(), 0);
    if (!Outcomes.isPool(failure)) {
      return done(Outcomes.of(failure, eni.pool()));
    }
    if (rung.prefixes() > 0) {
      account.pools.fragmented(eni.pool());
    } else {
      account.pools.exhausted(eni.pool());
    }
    return ladder.hasNext() ? fallBack(ladder.next()) : done(Outcomes.of(failure, eni.pool()));
  }

  private CompletionStage<AllocationOutcome> fallBack(Rung rung) {
    account.metrics.fallback(rung.label());
    return ask(rung);
  }
}
