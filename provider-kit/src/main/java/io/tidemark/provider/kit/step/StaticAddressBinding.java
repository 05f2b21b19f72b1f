package io.tidemark.provider.kit.step;

import static java.util.concurrent.CompletableFuture.completedStage;

import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.AccountState;
import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.provider.kit.Change;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Binds a public address chosen by tags to an instance's own interface, unless it has one already
 * (provider-aws 7.1, provider-azure 4.10). Only addresses that are not associated are used, so a
 * retry is harmless; no two requests of an account are for the same address, and if another node
 * was faster, the next candidate is used. Thread-safe.
 */
public final class StaticAddressBinding<I extends CachedInterface<I>> {
  private final AccountState<I, ?> account;
  private final String noun;
  private final BiFunction<I, IpAddress, I> with;

  /** Addresses with a request in flight. */
  private final Set<String> inUse = ConcurrentHashMap.newKeySet();

  /** The holder of a public address. */
  public enum Holder {
    NOBODY,
    SELF,
    ANOTHER
  }

  /**
   * A public address of the wanted tags, or a place for one.
   *
   * @param id in the cloud, which distinguishes requests in flight
   * @param associate associates it with the interface and returns the address; called only if it is
   *     free, or if the interface has it already and there is nothing to do
   */
  public record Candidate(
      String id, Holder holder, Supplier<CompletionStage<CallResult<IpAddress>>> associate) {
    /** The address that the interface has already. */
    public static Candidate held(String id, IpAddress address) {
      return new Candidate(
          id, Holder.SELF, () -> completedStage(new CallResult.Answered<>(address)));
    }
  }

  /** The provider's requests for one interface. */
  public interface Cloud {
    /** The public addresses of these tags. */
    CompletionStage<CallResult<List<Candidate>>> find(Map<String, String> tags);

    /** Whether a refusal means that another node has the address. */
    boolean isTaken(Failure refusal);
  }

  /**
   * A binding without requests.
   *
   * @param noun the cloud's term for such an address, in the singular
   * @param with the interface with a public address
   */
  public StaticAddressBinding(
      AccountState<I, ?> account, String noun, BiFunction<I, IpAddress, I> with) {
    this.account = account;
    this.noun = noun;
    this.with = with;
  }

  /** Sends the requests; gives the context's token back when none is needed. */
  public CompletionStage<AllocationOutcome> run(
      InstanceId instance, I own, Cloud cloud, Map<String, String> tags, CallContext context) {
    return new Attempt(instance, own, cloud, tags).begin(context);
  }

  private final class Attempt {
    private final InstanceId instance;
    private final I own;
    private final Cloud cloud;
    private final Map<String, String> tags;

    Attempt(InstanceId instance, I own, Cloud cloud, Map<String, String> tags) {
      this.instance = instance;
      this.own = own;
      this.cloud = cloud;
      this.tags = Map.copyOf(tags);
    }

    CompletionStage<AllocationOutcome> begin(CallContext context) {
      if (own.publicAddress().isPresent()) {
        context.giveBackToken();
        return completedStage(bound(own.publicAddress().get()));
      }
      if (tags.isEmpty()) {
        context.giveBackToken();
        return none(Failure.Kind.CONFIGURATION, "no " + noun + " tags were provided");
      }
      return cloud.find(tags).thenCompose(result -> result.match(this::choose, this::refused));
    }

    private CompletionStage<AllocationOutcome> choose(List<Candidate> tagged) {
      for (Candidate each : tagged) {
        if (each.holder() == Holder.SELF) {
          return associate(each, Collections.emptyIterator());
        }
      }
      return next(tagged.stream().filter(each -> each.holder() == Holder.NOBODY).iterator());
    }

    private CompletionStage<AllocationOutcome> next(Iterator<Candidate> free) {
      while (free.hasNext()) {
        Candidate candidate = free.next();
        if (inUse.add(candidate.id())) {
          return associate(candidate, free);
        }
      }
      return none(Failure.Kind.CAPACITY, "no unassociated " + noun + "s found for tags " + tags);
    }

    private CompletionStage<AllocationOutcome> associate(
        Candidate candidate, Iterator<Candidate> others) {
      return candidate
          .associate()
          .get()
          .whenComplete((result, thrown) -> inUse.remove(candidate.id()))
          .thenCompose(
              result ->
                  result.match(
                      address -> completedStage(bound(address)),
                      failure -> cloud.isTaken(failure) ? next(others) : refused(failure)));
    }

    private AllocationOutcome bound(IpAddress address) {
      BiFunction<I, IpAddress, I> edit = with; // the edit is kept, and must not keep the attempt
      long generation =
          account
              .inventory()
              .wrote(
                  instance, true, new Change.Edited<>(own.id(), each -> edit.apply(each, address)));
      return new AllocationOutcome.Allocated(
          List.of(), Optional.empty(), Optional.of(address), generation);
    }

    private CompletionStage<AllocationOutcome> none(Failure.Kind kind, String detail) {
      return refused(Failure.of(kind, "noStaticAddress", detail));
    }

    private CompletionStage<AllocationOutcome> refused(Failure failure) {
      if (failure.kind() == Failure.Kind.LOST) {
        account.inventory().wrote(instance, false, new Change.Unclear<>());
        return completedStage(new AllocationOutcome.Unknown(failure));
      }
      return completedStage(
          failure.kind() == Failure.Kind.NOT_RUNNING
              ? new AllocationOutcome.InstanceNotRunning()
              : new AllocationOutcome.Refused(failure));
    }
  }
}
