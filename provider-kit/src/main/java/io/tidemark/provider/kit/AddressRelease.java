package io.tidemark.provider.kit;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntConsumer;

/**
 * Releases addresses of one interface: blocks in one request, then singles in another, or both in
 * one where the cloud takes them together. Confirmed addresses, and those that may be gone after a
 * lost response, are out of the inventory before the outcome is returned. For one attempt.
 *
 * @param <I> the provider's own interface type
 */
final class AddressRelease<I extends CachedInterface<I>> {
  private final InstanceInventory<I> inventory;
  private final InstanceId instance;
  private final ReleaseAction action;
  private final InterfaceId eni;
  private final boolean together;
  private final Request request;
  private final IntConsumer freed;

  /** The provider's request. */
  @FunctionalInterface
  public interface Request {
    /** Removes these singles and blocks, at least one, from the action's interface. */
    CompletionStage<CallResult<InterfaceId>> unassign(AddressSet singles, List<Cidr> blocks);
  }

  /**
   * Nothing is sent yet.
   *
   * @param action not empty, so it has an interface
   * @param together whether one request takes singles and blocks
   * @param freed receives the number of addresses that each confirmed request returned to the pool
   */
  public AddressRelease(
      InstanceInventory<I> inventory,
      InstanceId instance,
      ReleaseAction action,
      boolean together,
      Request request,
      IntConsumer freed) {
    this.inventory = inventory;
    this.instance = instance;
    this.action = action;
    this.eni = action.onInterface().orElseThrow();
    this.together = together;
    this.request = request;
    this.freed = freed;
  }

  /** Sends the requests; ends when the last of them has. */
  public CompletionStage<ReleaseOutcome> run() {
    AddressSet singles = action.addresses();
    List<Cidr> blocks = action.blocks();
    if (together || singles.isEmpty() || blocks.isEmpty()) {
      return last(singles, blocks, List.of());
    }
    return request
        .unassign(AddressSet.of(), blocks)
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
        .unassign(singles, blocks)
        .thenCompose(
            result ->
                result.match(
                    id -> done(released(singles, Optional.empty(), gone(singles, blocks))),
                    failure ->
                        goneBefore.isEmpty() || failure.kind() == Failure.Kind.LOST
                            ? failed(singles, blocks, failure)
                            : done(released(AddressSet.of(), Optional.of(failure), known()))));
  }

  private CompletionStage<ReleaseOutcome> failed(
      AddressSet singles, List<Cidr> blocks, Failure failure) {
    if (failure.kind() != Failure.Kind.LOST) {
      return done(new ReleaseOutcome.NothingReleased(failure));
    }
    inventory.wrote(instance, false, new Change.Removed<>(eni, singles, blocks));
    return done(new ReleaseOutcome.Unknown(failure));
  }

  private long gone(AddressSet singles, List<Cidr> blocks) {
    freed.accept(Math.toIntExact(ReleasePlanner.size(singles, blocks)));
    return inventory.wrote(instance, true, new Change.Removed<>(eni, singles, blocks));
  }

  private long known() {
    return inventory.find(instance).map(InstanceView::generation).orElse(0L);
  }

  private ReleaseOutcome released(AddressSet singles, Optional<Failure> rest, long generation) {
    return new ReleaseOutcome.Released(singles, action.blocks(), rest, generation);
  }

  private static CompletionStage<ReleaseOutcome> done(ReleaseOutcome outcome) {
    return CompletableFuture.completedStage(outcome);
  }
}
