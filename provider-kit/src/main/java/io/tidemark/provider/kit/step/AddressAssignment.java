package io.tidemark.provider.kit.step;

import static java.util.concurrent.CompletableFuture.completedStage;

import io.tidemark.ip.AddressSet;
import io.tidemark.metrics.Metric;
import io.tidemark.provider.kit.AccountState;
import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.pool.Rung;
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
 * Adds addresses to an attached interface: one request, or one per rung of the ladder while the
 * pool has no room. Confirmed addresses are in the inventory before the outcome is returned. A
 * request with a lost response is not repeated; the inventory records the doubt.
 */
public final class AddressAssignment<I extends CachedInterface<I>, S> {
  private final AccountState<I, S> account;
  private final Request<S> request;

  /** The provider's request. */
  @FunctionalInterface
  public interface Request<S> {
    /** Adds the rung's blocks or its singles; returns what the interface got. */
    CompletionStage<CallResult<AttachedInterface>> assign(Rung<S> rung);
  }

  /** For one attempt; nothing is sent yet. */
  public AddressAssignment(AccountState<I, S> account, Request<S> request) {
    this.account = account;
    this.request = request;
  }

  /**
   * Sends the requests; ends with the outcome of the last one.
   *
   * @param each the known state of the interface
   * @param ladder the requests to try; if empty, the context's token is returned
   */
  public CompletionStage<AllocationOutcome> run(
      InstanceId instance, I each, List<Rung<S>> ladder, CallContext context) {
    if (ladder.isEmpty()) {
      context.giveBackToken();
      return completedStage(
          new AllocationOutcome.Refused(
              Failure.of(
                  Failure.Kind.CONFLICT,
                  "nothingToAsk",
                  each.id() + " has no room for what is left")));
    }
    return new Attempt(instance, each, ladder.iterator()).next();
  }

  private final class Attempt {
    private final InstanceId instance;
    private final I each;
    private final Iterator<Rung<S>> ladder;

    Attempt(InstanceId instance, I each, Iterator<Rung<S>> ladder) {
      this.instance = instance;
      this.each = each;
      this.ladder = ladder;
    }

    CompletionStage<AllocationOutcome> next() {
      return ask(ladder.next());
    }

    private CompletionStage<AllocationOutcome> ask(Rung<S> rung) {
      account.pools().reserve(each.pool(), rung.addresses());
      return request
          .assign(rung)
          .thenCompose(
              result -> result.match(got -> assigned(rung, got), failure -> failed(rung, failure)));
    }

    /** Some clouds also return the primary address, which is not for pods. */
    private CompletionStage<AllocationOutcome> assigned(Rung<S> rung, AttachedInterface got) {
      AddressSet singles = each.primaryAddress().map(got.singles()::minus).orElse(got.singles());
      AttachedInterface added = new AttachedInterface(each.id(), singles, got.blocks());
      account.pools().settle(each.pool(), rung.addresses(), added.size());
      if (added.size() == 0) {
        return completedStage(
            new AllocationOutcome.Refused(
                Failure.of(Failure.Kind.TRANSIENT, "nothingAssigned", "for " + each.id())));
      }
      long generation =
          account
              .inventory()
              .wrote(instance, true, new Change.Added<>(each.id(), singles, got.blocks()));
      return completedStage(
          new AllocationOutcome.Allocated(
              List.of(added), Optional.empty(), Optional.empty(), generation));
    }

    private CompletionStage<AllocationOutcome> failed(Rung<S> rung, Failure failure) {
      if (failure.kind() == Failure.Kind.LOST) {
        account.pools().settle(each.pool(), rung.addresses(), rung.addresses());
        account
            .inventory()
            .wrote(instance, false, new Change.AssignLost<>(each.id(), each.slotsTaken()));
        return completedStage(new AllocationOutcome.Unknown(failure));
      }
      account.pools().settle(each.pool(), rung.addresses(), 0);
      if (!account.failures().isPool(failure)) {
        return completedStage(account.failures().outcome(failure, each.pool()));
      }
      if (rung.blocks() > 0) {
        account.pools().fragmented(each.pool());
      } else {
        account.pools().exhausted(each.pool());
      }
      if (!ladder.hasNext()) {
        return completedStage(account.failures().outcome(failure, each.pool()));
      }
      Rung<S> lower = ladder.next();
      account.metrics().count(Metric.ENI_FALLBACK, lower.label());
      return ask(lower);
    }
  }
}
