package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.inventory.Change;
import io.tidemark.spi.inventory.InstanceView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Gives addresses of one interface back: blocks in one request, then singles in another. */
final class AddressRelease {
  private final EniAccount account;
  private final InstanceId instance;
  private final InterfaceId eni;
  private final PoolId pool;
  private final ReleaseAction action;
  private final CallContext context;

  /** Made for one attempt, used once. */
  AddressRelease(
      EniAccount account, InstanceId instance, Eni eni, ReleaseAction action, CallContext context) {
    this.account = account;
    this.instance = instance;
    this.eni = eni.id();
    this.pool = eni.pool();
    this.action = action;
    this.context = context;
  }

  CompletionStage<ReleaseOutcome> run() {
    return action.blocks().isEmpty() ? releaseSingles() : releaseBlocks();
  }

  private CompletionStage<ReleaseOutcome> releaseBlocks() {
    return account
        .ec2
        .unassign(eni, AddressSet.of(), action.blocks(), context)
        .thenCompose(result -> result.match(id -> blocksGone(), this::nothingGone));
  }

  private CompletionStage<ReleaseOutcome> blocksGone() {
    long generation = gone(AddressSet.of(), action.blocks());
    return action.addresses().isEmpty()
        ? done(released(AddressSet.of(), Optional.empty(), generation))
        : releaseSingles();
  }

  private CompletionStage<ReleaseOutcome> releaseSingles() {
    return account
        .ec2
        .unassign(eni, action.addresses(), List.of(), context)
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
    long generation = account.inventory.find(instance).map(InstanceView::generation).orElse(0L);
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
    account.inventory.wrote(instance, false, new Change.Removed<>(eni, singles, blocks));
    return done(new ReleaseOutcome.Unknown(failure));
  }

  private long gone(AddressSet singles, List<Cidr> blocks) {
    account.pools.gave(pool, singles.size() + SlotModel.BLOCK_SIZE * blocks.size());
    return account.inventory.wrote(instance, true, new Change.Removed<>(eni, singles, blocks));
  }

  private ReleaseOutcome released(AddressSet singles, Optional<Failure> rest, long generation) {
    return new ReleaseOutcome.Released(singles, action.blocks(), rest, generation);
  }
}
