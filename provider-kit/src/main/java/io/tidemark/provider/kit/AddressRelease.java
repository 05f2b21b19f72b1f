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
 * Gives addresses of one interface back: blocks in one request, then singles in another. What the
 * cloud confirmed is out of the inventory before the outcome is told, and so is what may be gone
 * because an answer was lost. Made for one attempt, used once.
 *
 * @param <I> the provider's own interface type
 */
public final class AddressRelease<I extends CachedInterface<I>> {
  private final InstanceInventory<I> inventory;
  private final InstanceId instance;
  private final ReleaseAction action;
  private final InterfaceId eni;
  private final Request request;
  private final IntConsumer freed;

  /** The provider's request. */
  @FunctionalInterface
  public interface Request {
    /** Takes either these singles or these blocks away from the action's interface. */
    CompletionStage<CallResult<InterfaceId>> unassign(AddressSet singles, List<Cidr> blocks);
  }

  /**
   * Nothing is sent yet.
   *
   * @param action not empty, so it names its interface
   * @param freed hears after each confirmed request how many addresses are free again in the pool
   */
  public AddressRelease(
      InstanceInventory<I> inventory,
      InstanceId instance,
      ReleaseAction action,
      Request request,
      IntConsumer freed) {
    this.inventory = inventory;
    this.instance = instance;
    this.action = action;
    this.eni = action.onInterface().orElseThrow();
    this.request = request;
    this.freed = freed;
  }

  /** Sends the requests; ends when the last of them has. */
  public CompletionStage<ReleaseOutcome> run() {
    return action.blocks().isEmpty() ? releaseSingles() : releaseBlocks();
  }

  private CompletionStage<ReleaseOutcome> releaseBlocks() {
    return request
        .unassign(AddressSet.of(), action.blocks())
        .thenCompose(result -> result.match(id -> blocksGone(), this::nothingGone));
  }

  private CompletionStage<ReleaseOutcome> blocksGone() {
    long generation = gone(AddressSet.of(), action.blocks());
    return action.addresses().isEmpty()
        ? done(released(AddressSet.of(), Optional.empty(), generation))
        : releaseSingles();
  }

  private CompletionStage<ReleaseOutcome> releaseSingles() {
    return request
        .unassign(action.addresses(), List.of())
        .thenCompose(result -> result.match(id -> singlesGone(), this::singlesRefused));
  }

  private CompletionStage<ReleaseOutcome> singlesGone() {
    long generation = gone(action.addresses(), List.of());
    return done(released(action.addresses(), Optional.empty(), generation));
  }

  private CompletionStage<ReleaseOutcome> singlesRefused(Failure failure) {
    if (failure.kind() == Failure.Kind.LOST || action.blocks().isEmpty()) {
      return nothingMore(failure, action.addresses(), List.of());
    }
    long generation = inventory.find(instance).map(InstanceView::generation).orElse(0L);
    return done(released(AddressSet.of(), Optional.of(failure), generation));
  }

  private CompletionStage<ReleaseOutcome> nothingGone(Failure failure) {
    return nothingMore(failure, AddressSet.of(), action.blocks());
  }

  private CompletionStage<ReleaseOutcome> nothingMore(
      Failure failure, AddressSet singles, List<Cidr> blocks) {
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

  private ReleaseOutcome released(AddressSet singles, Optional<Failure> rest, long generation) {
    return new ReleaseOutcome.Released(singles, action.blocks(), rest, generation);
  }

  private static CompletionStage<ReleaseOutcome> done(ReleaseOutcome outcome) {
    return CompletableFuture.completedStage(outcome);
  }
}
