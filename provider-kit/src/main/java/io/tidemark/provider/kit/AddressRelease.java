package io.tidemark.provider.kit;

import static java.util.concurrent.CompletableFuture.completedStage;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;

/**
 * Releases addresses of one interface: blocks in one request, then singles in another, or both in
 * one where the cloud takes them together. Confirmed addresses, and those that may be gone after a
 * lost response, are out of the inventory before the outcome is returned. For one attempt.
 *
 * @param action not empty, so it has an interface
 * @param together whether one request takes singles and blocks
 * @param request removes singles and blocks, at least one, from the action's interface
 * @param freed receives the number of addresses that each confirmed request returned to the pool
 */
record AddressRelease<I extends CachedInterface<I>>(
    InstanceInventory<I> inventory,
    InstanceId instance,
    ReleaseAction action,
    boolean together,
    BiFunction<AddressSet, List<Cidr>, CompletionStage<CallResult<InterfaceId>>> request,
    IntConsumer freed) {

  /** Sends the requests; ends when the last of them has. */
  CompletionStage<ReleaseOutcome> run() {
    AddressSet singles = action.addresses();
    List<Cidr> blocks = action.blocks();
    if (together || singles.isEmpty() || blocks.isEmpty()) {
      return last(singles, blocks, List.of());
    }
    return request
        .apply(AddressSet.of(), blocks)
        .thenCompose(
            result ->
                result.match(
                    id -> {
                      gone(AddressSet.of(), blocks);
                      return last(singles, List.of(), blocks);
                    },
                    failure -> failed(AddressSet.of(), blocks, failure)));
  }

  private CompletionStage<ReleaseOutcome> last(
      AddressSet singles, List<Cidr> blocks, List<Cidr> goneBefore) {
    return request
        .apply(singles, blocks)
        .thenCompose(
            result ->
                result.match(
                    id ->
                        completedStage(released(singles, Optional.empty(), gone(singles, blocks))),
                    failure ->
                        goneBefore.isEmpty() || failure.kind() == Failure.Kind.LOST
                            ? failed(singles, blocks, failure)
                            : completedStage(
                                released(AddressSet.of(), Optional.of(failure), known()))));
  }

  private CompletionStage<ReleaseOutcome> failed(
      AddressSet singles, List<Cidr> blocks, Failure failure) {
    if (failure.kind() != Failure.Kind.LOST) {
      return completedStage(new ReleaseOutcome.NothingReleased(failure));
    }
    inventory.wrote(instance, false, removed(singles, blocks));
    return completedStage(new ReleaseOutcome.Unknown(failure));
  }

  private long gone(AddressSet singles, List<Cidr> blocks) {
    freed.accept(Math.toIntExact(ReleasePlanner.size(singles, blocks)));
    return inventory.wrote(instance, true, removed(singles, blocks));
  }

  private Change<I> removed(AddressSet singles, List<Cidr> blocks) {
    return new Change.Removed<>(action.onInterface().orElseThrow(), singles, blocks);
  }

  private long known() {
    return inventory.find(instance).map(InstanceView::generation).orElse(0L);
  }

  private ReleaseOutcome released(AddressSet singles, Optional<Failure> rest, long generation) {
    return new ReleaseOutcome.Released(singles, action.blocks(), rest, generation);
  }
}
