package io.tidemark.provider.kit.step;

import io.tidemark.provider.kit.AccountState;
import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Brings one property of interfaces to what the node wants, whenever a read shows another. A failed
 * attempt is made again after the next read; no interface is asked for twice at the same time.
 * Thread-safe.
 *
 * @param <I> the provider's own interface type
 */
public final class InterfaceRepair<I extends CachedInterface<I>> {
  private final AccountState<I, ?> account;
  private final Set<InterfaceId> underWay = ConcurrentHashMap.newKeySet();

  /** Nothing is under way yet. */
  public InterfaceRepair(AccountState<I, ?> account) {
    this.account = account;
  }

  /**
   * Looks at one instance; sends what is needed and does not wait for it.
   *
   * @param node for whom the requests are made
   * @param wrong whether an interface is ours and not as it shall be
   * @param right the interface as it shall be
   * @param request brings it there
   */
  public void check(
      InstanceId instance,
      String node,
      Predicate<I> wrong,
      UnaryOperator<I> right,
      BiFunction<I, CallContext, CompletionStage<CallResult<InterfaceId>>> request) {
    account.inventory().find(instance).stream()
        .map(InstanceView::interfaces)
        .flatMap(all -> all.stream().filter(wrong))
        .filter(each -> underWay.add(each.id()))
        .forEach(
            each ->
                request
                    .apply(each, account.inBackground(node, Priority.Rank.REPAIR))
                    .thenAccept(
                        result ->
                            result.match(
                                done ->
                                    account
                                        .inventory()
                                        .wrote(
                                            instance, true, new Change.Edited<>(each.id(), right)),
                                failure -> 0L))
                    .whenComplete((done, thrown) -> underWay.remove(each.id())));
  }
}
