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
 * Corrects one property of interfaces whenever a read shows a different value. A failed attempt is
 * retried after the next read; an interface has one request at a time. Thread-safe.
 */
public final class InterfaceRepair<I extends CachedInterface<I>> {
  private final AccountState<I, ?> account;
  private final Set<InterfaceId> underWay = ConcurrentHashMap.newKeySet();

  /** A batcher without requests. */
  public InterfaceRepair(AccountState<I, ?> account) {
    this.account = account;
  }

  /**
   * Checks one instance; starts the necessary requests and does not wait for them.
   *
   * @param node the node that the requests serve
   * @param wrong whether an interface is ours and has a wrong value
   * @param right the interface with the correct value
   * @param request sets the value
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
