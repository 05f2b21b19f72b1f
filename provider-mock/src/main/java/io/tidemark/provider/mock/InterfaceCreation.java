package io.tidemark.provider.mock;

import static io.tidemark.provider.mock.MockAccount.done;

import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.ClientToken;
import io.tidemark.provider.kit.InTime;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.provider.mock.cloud.CreateInterfaceRequest;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.provider.mock.cloud.NetworkInterface.Attachment;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InterfaceId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Creates an interface, attaches it and marks it to go with its instance (node-manager 13 D-15).
 *
 * <p>Create carries a token that follows from the situation, so whoever repeats it, after a lost
 * answer or a restart, gets the same interface. Attach names the device index, so it happens at
 * most once. An interface that could not be attached is deleted; one that was attached is kept,
 * marked or not: the mark is repaired later.
 */
final class InterfaceCreation {
  private static final int TOKENS_MAX = 8;
  private static final int ATTACHES_MAX = 3;

  private final MockAccount account;
  private final CreationTarget target;
  private final List<Rung<Subnet>> ladder;
  private final CallContext context;
  private int rung;
  private int tokens;
  private int attaches;
  private String token = "";
  private Optional<InterfaceId> attaching = Optional.empty();

  /** Made for one attempt, used once. */
  InterfaceCreation(
      MockAccount account, CreationTarget target, List<Rung<Subnet>> ladder, CallContext context) {
    this.account = account;
    this.target = target;
    this.ladder = List.copyOf(ladder);
    this.context = context;
  }

  CompletionStage<AllocationOutcome> run() {
    if (ladder.isEmpty()) {
      context.giveBackToken();
      return done(
          new AllocationOutcome.Refused(
              Failure.of(
                  Failure.Kind.CONFLICT, "nothingToAsk", "no subnet has room for an interface")));
    }
    // Cleaning up may take longer than the attempt may; it goes on, but nobody waits for it.
    return InTime.orUnknown(
        create().whenComplete((outcome, thrown) -> account.creations.end(token)),
        context.deadlineNanos(),
        account.scheduler);
  }

  // ---- step 1: create

  private CompletionStage<AllocationOutcome> create() {
    account.creations.end(token);
    token =
        ClientToken.of(
            account.owner.cluster(),
            target.instance(),
            target.index(),
            target.attached().stream().map(Eni::id).toList(),
            account.creations.ordinal(target.instance()));
    tokens++;
    account.creations.begin(token);
    account.pools.reserve(current().pool().id(), 1 + current().addresses());
    return account
        .api
        .create(request(), context)
        .thenCompose(result -> result.match(this::created, this::notCreated));
  }

  private CreateInterfaceRequest request() {
    return new CreateInterfaceRequest(
        current().pool().id().text(),
        "Tidemark (" + target.instance() + ")",
        target.securityGroups(),
        account.owner.of(target.instance(), token),
        current().singles(),
        current().blocks(),
        token);
  }

  private CompletionStage<AllocationOutcome> created(NetworkInterface created) {
    settle(created.addressesHeld());
    return continueWith(created);
  }

  private CompletionStage<AllocationOutcome> notCreated(Failure failure) {
    settle(failure.kind() == Failure.Kind.LOST ? 1 + current().addresses() : 0);
    if (failure.kind() == Failure.Kind.LOST) {
      return unknown(failure);
    }
    if (failure.condition().equals(MockFailureClassifier.TOKEN_MISMATCH)) {
      return findByToken();
    }
    if (!MockAccount.FAILURES.isPool(failure)) {
      return done(MockAccount.FAILURES.outcome(failure, current().pool().id()));
    }
    if (failure.condition().equals(MockFailureClassifier.FRAGMENTED)) {
      account.pools.fragmented(current().pool().id());
    } else {
      account.pools.exhausted(current().pool().id());
    }
    if (rung + 1 == ladder.size()) {
      return done(MockAccount.FAILURES.outcome(failure, current().pool().id()));
    }
    rung++;
    return create();
  }

  /** An earlier attempt asked for other numbers under this token: take what it made. */
  private CompletionStage<AllocationOutcome> findByToken() {
    return account
        .api
        .interfacesTagged(OwnerTags.TOKEN, token, context)
        .thenCompose(
            result ->
                result.match(
                    found -> found.isEmpty() ? unseen() : continueWith(found.get(0)),
                    failure -> done(MockAccount.FAILURES.outcome(failure, current().pool().id()))));
  }

  private CompletionStage<AllocationOutcome> unseen() {
    boolean gone =
        account.creations.unseenFor(account.horizon, token, account.scheduler.time().nanos());
    return gone
        ? again()
        : done(
            new AllocationOutcome.Refused(
                Failure.of(
                    Failure.Kind.TRANSIENT,
                    "createdButNotShown",
                    "an interface exists for " + target.instance() + " that no read shows yet")));
  }

  /** The interface of this token is gone: the situation gets its next token. */
  private CompletionStage<AllocationOutcome> again() {
    account.creations.used(target.instance());
    attaching = Optional.empty();
    return tokens < TOKENS_MAX
        ? create()
        : done(
            new AllocationOutcome.Refused(
                Failure.of(
                    Failure.Kind.CONFLICT,
                    "tokensUsedUp",
                    TOKENS_MAX + " interfaces of this situation are gone; trying on later")));
  }

  // ---- step 2: attach

  private CompletionStage<AllocationOutcome> continueWith(NetworkInterface created) {
    if (created.attachment().isEmpty()) {
      return attach(created);
    }
    return created.attachment().get().instanceId().equals(target.instance().text())
        ? attached(created, created.attachment().get())
        : again();
  }

  private CompletionStage<AllocationOutcome> attach(NetworkInterface created) {
    attaches++;
    attaching = Optional.of(idOf(created));
    return account
        .api
        .attach(idOf(created), target.instance(), target.index(), context)
        .thenCompose(
            result ->
                result.match(
                    attachment -> attached(created, attachment),
                    failure -> notAttached(created, failure)));
  }

  private CompletionStage<AllocationOutcome> notAttached(
      NetworkInterface created, Failure failure) {
    boolean gone =
        failure.kind() == Failure.Kind.NOT_FOUND
            && !failure.condition().equals(MockFailureClassifier.INSTANCE_GONE);
    if (gone) {
      return again();
    }
    boolean unclear =
        failure.kind() == Failure.Kind.LOST
            || failure.condition().equals(MockFailureClassifier.INTERFACE_IN_USE)
            || (attaches > 1 && failure.condition().equals(MockFailureClassifier.INDEX_TAKEN));
    return unclear
        ? readBack(created, failure)
        : undo(created, MockAccount.FAILURES.outcome(failure, current().pool().id()));
  }

  /** Whether the attachment of which we heard nothing was made. */
  private CompletionStage<AllocationOutcome> readBack(NetworkInterface created, Failure failure) {
    return account
        .api
        .networkInterface(idOf(created), context)
        .thenCompose(
            result ->
                result.match(found -> decide(created, found, failure), lost -> unknown(failure)));
  }

  private CompletionStage<AllocationOutcome> decide(
      NetworkInterface created, List<NetworkInterface> found, Failure failure) {
    Optional<Attachment> attachment =
        found.stream().findFirst().flatMap(NetworkInterface::attachment);
    if (attachment.isPresent()) {
      return attachment.get().instanceId().equals(target.instance().text())
          ? attached(found.get(0), attachment.get())
          : again();
    }
    return attaches < ATTACHES_MAX ? attach(created) : unknown(failure);
  }

  /** Nothing shall remain of an interface that is not attached; what remains, the token finds. */
  private CompletionStage<AllocationOutcome> undo(
      NetworkInterface created, AllocationOutcome outcome) {
    return account
        .api
        .delete(idOf(created), context.compensating())
        .thenApply(
            result ->
                result.match(
                    id -> {
                      account.creations.used(target.instance());
                      account.pools.gave(current().pool().id(), created.addressesHeld());
                      return outcome;
                    },
                    notDeleted -> outcome));
  }

  // ---- step 3: mark

  private CompletionStage<AllocationOutcome> attached(
      NetworkInterface created, Attachment attachment) {
    Eni eni = MockApi.eni(created, attachment);
    long generation = account.inventory.wrote(target.instance(), true, new Change.Attached<>(eni));
    if (attachment.deleteOnTermination() == target.deleteOnTermination()) {
      return done(allocated(eni, generation));
    }
    return account
        .api
        .markDeleteOnTermination(eni.id(), target.deleteOnTermination(), context)
        .thenApply(result -> result.match(id -> marked(eni), notMarked -> generation))
        .thenApply(latest -> allocated(eni, latest));
  }

  private long marked(Eni eni) {
    boolean mark = target.deleteOnTermination(); // the edit is kept, and must not keep the attempt
    return account.inventory.wrote(
        target.instance(),
        true,
        new Change.Edited<>(eni.id(), each -> each.withDeleteOnTermination(mark)));
  }

  private AllocationOutcome allocated(Eni eni, long generation) {
    return new AllocationOutcome.Allocated(
        List.of(target.slots().podAddresses(eni)),
        Optional.of(eni.id()),
        Optional.empty(),
        generation);
  }

  // ---- endings

  private CompletionStage<AllocationOutcome> unknown(Failure failure) {
    Change<Eni> doubt =
        attaching.isPresent() ? new Change.AttachLost<>(attaching.get()) : new Change.Unclear<>();
    account.inventory.wrote(target.instance(), false, doubt);
    return done(
        new AllocationOutcome.Unknown(
            failure.kind() == Failure.Kind.LOST
                ? failure
                : Failure.of(Failure.Kind.LOST, failure.condition(), failure.detail())));
  }

  private void settle(int taken) {
    account.pools.settle(current().pool().id(), 1 + current().addresses(), taken);
  }

  private Rung<Subnet> current() {
    return ladder.get(rung);
  }

  private static InterfaceId idOf(NetworkInterface created) {
    return new InterfaceId(created.id());
  }
}
