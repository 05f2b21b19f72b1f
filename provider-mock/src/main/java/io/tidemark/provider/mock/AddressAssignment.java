package io.tidemark.provider.mock;

import static io.tidemark.provider.mock.MockAccount.done;

import io.tidemark.provider.kit.Change;
import io.tidemark.provider.mock.cloud.AssignedAddresses;
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

/** Adds addresses to an attached interface: one request, or one per rung of the ladder. */
final class AddressAssignment {
  private final MockAccount account;
  private final InstanceId instance;
  private final Eni eni;
  private final Iterator<Rung> ladder;
  private final CallContext context;

  /** Made for one attempt, used once. */
  AddressAssignment(
      MockAccount account, InstanceId instance, Eni eni, List<Rung> ladder, CallContext context) {
    this.account = account;
    this.instance = instance;
    this.eni = eni;
    this.ladder = ladder.iterator();
    this.context = context;
  }

  CompletionStage<AllocationOutcome> run() {
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
            ? account.api.assignPrefixes(eni.id(), rung.prefixes(), context)
            : account.api.assignSingles(eni.id(), rung.singles(), context);
    return answer.thenCompose(
        result -> result.match(got -> assigned(rung, got), failure -> failed(rung, failure)));
  }

  private CompletionStage<AllocationOutcome> assigned(Rung rung, AssignedAddresses got) {
    AttachedInterface added = new AttachedInterface(eni.id(), got.singles(), got.prefixes());
    account.pools.settle(eni.pool(), rung.addresses(), added.size());
    if (added.size() == 0) {
      return done(
          new AllocationOutcome.Refused(
              Failure.of(Failure.Kind.TRANSIENT, "nothingAssigned", "for " + eni.id())));
    }
    long generation =
        account.inventory.wrote(
            instance, true, new Change.Added<>(eni.id(), got.singles(), got.prefixes()));
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
    return ladder.hasNext() ? ask(ladder.next()) : done(Outcomes.of(failure, eni.pool()));
  }
}
