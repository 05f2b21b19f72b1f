package io.tidemark.provider.kit;

import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.SyncOutcome;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * An account of a cloud that lists its pools in one request, and its interfaces in another. The
 * provider sends these requests; what they show goes into the {@link AccountState}.
 */
public abstract class ListingAllocation<I extends CachedInterface<I>, S> extends InterfaceAllocation
    implements InstanceSource<Map<InstanceId, List<I>>> {
  private final AccountState<I, S> account;
  private final ReadVerdict<I> verdict;

  /** An account that makes no request yet. */
  protected ListingAllocation(AccountState<I, S> account, CloudCalls calls) {
    super(account, calls);
    this.account = account;
    this.verdict = new ReadVerdict<>(account.inventory());
  }

  /** Lists all pools. */
  protected abstract CompletionStage<CallResult<List<Pool<S>>>> listPools(CallContext context);

  /** Lists the interfaces of all instances, ids ascending; {@link #read} those of some. */
  protected abstract CompletionStage<CallResult<Map<InstanceId, List<I>>>> list(
      CallContext context);

  @Override
  protected final InstanceSource<Map<InstanceId, List<I>>> reads() {
    return this;
  }

  @Override
  protected final CompletionStage<SyncOutcome> readAll(CallContext context) {
    return readPools(context)
        .thenCompose(result -> result.then(read -> readInterfaces(context)))
        .thenApply(result -> result.match(SyncOutcome.Synced::new, SyncOutcome.Failed::new));
  }

  private CompletionStage<CallResult<Integer>> readPools(CallContext context) {
    return listPools(context)
        .thenApply(
            result ->
                result.map(
                    listed -> {
                      account.pools().accept(listed);
                      return listed.size();
                    }));
  }

  private CompletionStage<CallResult<Long>> readInterfaces(CallContext context) {
    ReadMark mark = account.inventory().beginRead();
    return list(context)
        .thenApply(
            result ->
                result.map(
                    listed -> {
                      accept(mark, account.inventory().ids(), listed);
                      return mark.generation();
                    }));
  }

  /** Pools that were never seen are read before their interfaces count. */
  @Override
  public final CompletionStage<Map<InstanceId, SyncOutcome>> accept(
      ReadMark mark, Set<InstanceId> ids, Map<InstanceId, List<I>> found, CallContext context) {
    return found.values().stream()
            .flatMap(List::stream)
            .allMatch(each -> account.pools().find(each.pool()).isPresent())
        ? CompletableFuture.completedStage(accept(mark, ids, found))
        : readPools(context).thenApply(read -> accept(mark, ids, found));
  }

  private Map<InstanceId, SyncOutcome> accept(
      ReadMark mark, Collection<InstanceId> wanted, Map<InstanceId, List<I>> found) {
    Map<InstanceId, SyncOutcome> outcomes = new TreeMap<>();
    found.forEach((id, interfaces) -> outcomes.put(id, verdict.shown(mark, id, interfaces)));
    for (InstanceId id : wanted) {
      outcomes.computeIfAbsent(
          id, omitted -> verdict.missing(mark, omitted, ReadVerdict.Said.NOTHING));
    }
    return outcomes;
  }
}
