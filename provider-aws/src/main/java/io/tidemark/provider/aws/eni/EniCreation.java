package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.aws.ec2.NetworkInterface;
import io.tidemark.provider.aws.ec2.NetworkInterface.Attachment;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.inventory.Change;
import io.tidemark.spi.inventory.ClientToken;
import io.tidemark.spi.inventory.InTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Creates an interface and attaches it (provider-aws 2.2, 2.5, 2.6, M6, M7).
 *
 * <p>Create carries a token that follows from the situation, so whoever repeats it, after a lost
 * answer or a restart, gets the same interface. Attach names the device index, so it happens at
 * most once. An interface that could not be attached is deleted; one that was attached is kept, and
 * its delete-on-termination mark is set by {@link EniRepair} apart from this.
 */
final class EniCreation {
  private static final int TOKENS_MAX = 8;
  private static final int ATTACHES_MAX = 5;

  /** Its token stands for the situation, whatever ordinals it is at. */
  private static final int BEFORE_ALL = -1;

  /** How long the permission to attach may be on its way to the other account. */
  private static final Duration PERMISSION = Duration.ofSeconds(30);

  private static final Duration PERMISSION_PAUSE = Duration.ofSeconds(2);
  private static final Set<String> UNTIL_PERMITTED =
      Set.of(Ec2Condition.ENI_GONE, Ec2Condition.UNAUTHORIZED, Ec2Condition.NOT_OURS);

  private final EniAccount account;
  private final EniRepair repair;
  private final List<Rung> ladder;
  private final CallContext context;
  private CreationTarget target;
  private int rung;
  private int tokens;
  private int attaches;
  private long createdNanos;
  private String token = "";
  private Optional<CreateInterfaceRequest> asked = Optional.empty();
  private Optional<InterfaceId> attaching = Optional.empty();

  /** Made for one attempt, used once. */
  EniCreation(
      EniAccount account,
      EniRepair repair,
      CreationTarget target,
      List<Rung> ladder,
      CallContext context) {
    this.account = account;
    this.repair = repair;
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
        create().whenComplete((outcome, thrown) -> ended()),
        context.deadlineNanos(),
        account.scheduler);
  }

  private void ended() {
    account.recentCreations.ended(token);
    account.creations.end(token);
  }

  // ---- step 1: create

  private CompletionStage<AllocationOutcome> create() {
    account.creations.end(token);
    token = token(account.creations.ordinal(target.instance()));
    tokens++;
    account.creations.begin(token);
    CreateInterfaceRequest request =
        Optional.ofNullable(account.lostCreations.get(target.instance()))
            .filter(lost -> lost.token().equals(token))
            .orElseGet(this::request);
    asked = Optional.of(request);
    account.pools.reserve(request.subnet(), addresses(request));
    return account
        .ec2
        .create(request, context)
        .thenCompose(result -> result.match(this::created, this::notCreated));
  }

  private String token(int ordinal) {
    return ClientToken.of(
        account.owner.cluster(),
        target.instance(),
        target.index(),
        target.attached().stream().map(Eni::id).sorted().toList(),
        ordinal);
  }

  private CreateInterfaceRequest request() {
    return new CreateInterfaceRequest(
        current().pool().id(),
        account.settings.description() + " (" + target.instance() + ")",
        target.securityGroups(),
        account.owner.of(target.instance(), token, account.now(), account.settings.tags()),
        current().singles(),
        current().prefixes(),
        current().pool().subnet().ipv6().isPresent() ? target.ipv6Prefixes() : 0,
        token);
  }

  private static int addresses(CreateInterfaceRequest request) {
    return 1 + request.singles() + SlotModel.BLOCK_SIZE * request.prefixes();
  }

  private CompletionStage<AllocationOutcome> created(NetworkInterface created) {
    account.lostCreations.remove(target.instance());
    settle(created.addressesHeld());
    createdNanos = account.scheduler.time().nanos();
    return continueWith(created);
  }

  private CompletionStage<AllocationOutcome> notCreated(Failure failure) {
    if (failure.kind() == Failure.Kind.LOST) {
      CreateInterfaceRequest request = asked.orElseThrow();
      account.lostCreations.put(target.instance(), request);
      settle(addresses(request));
      return unknown(failure);
    }
    account.lostCreations.remove(target.instance());
    settle(0);
    if (failure.condition().equals(Ec2Condition.TOKEN_MISMATCH)) {
      return findByToken();
    }
    if (failure.condition().equals(Ec2Condition.REGION_QUOTA)) {
      account.creationStop.quotaExceeded();
    }
    if (!Outcomes.isPool(failure)) {
      return done(Outcomes.of(failure, current().pool().id()));
    }
    if (current().prefixes() > 0) {
      account.pools.fragmented(current().pool().id());
    } else {
      account.pools.exhausted(current().pool().id());
    }
    if (rung + 1 == ladder.size()) {
      return done(Outcomes.of(failure, current().pool().id()));
    }
    rung++;
    account.metrics.fallback(current().label());
    return create();
  }

  /** An earlier attempt asked for other numbers under this token: take what it made. */
  private CompletionStage<AllocationOutcome> findByToken() {
    return account
        .ec2
        .interfaces(new InterfaceQuery.Tagged(Map.of(OwnerTags.TOKEN, token)), context)
        .thenCompose(
            result ->
                result.match(
                    found -> found.isEmpty() ? unseen() : continueWith(found.get(0)),
                    failure -> done(Outcomes.of(failure, current().pool().id()))));
  }

  private CompletionStage<AllocationOutcome> unseen() {
    boolean gone =
        account.creations.unseenFor(
            account.settings.horizon(),
            target.instance(),
            token(BEFORE_ALL),
            account.scheduler.time().nanos());
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
    return isOurs(created.attachment().get())
        ? attached(created, created.attachment().get())
        : again();
  }

  private CompletionStage<AllocationOutcome> attach(NetworkInterface created) {
    attaches++;
    attaching = Optional.of(created.id());
    int index = target.index();
    return account
        .ec2
        .attach(created.id(), target.instance(), index, context)
        .thenCompose(
            result ->
                result.match(
                    id -> attached(created, justAttached(id, index)),
                    failure -> notAttached(created, failure)));
  }

  private Attachment justAttached(String attachmentId, int index) {
    return new Attachment(
        attachmentId, Optional.of(target.instance()), 0, index, false, "attaching");
  }

  private CompletionStage<AllocationOutcome> notAttached(
      NetworkInterface created, Failure failure) {
    if (mayLackPermission(failure)) {
      return attachLater(created);
    }
    return switch (failure.condition()) {
      case Ec2Condition.ENI_GONE -> again();
      case Ec2Condition.ENI_IN_USE -> readBack(created, failure);
      case Ec2Condition.INDEX_CONFLICT -> readInstance(created, failure);
      case Ec2Condition.INSTANCE_FULL -> full(created);
      case Ec2Condition.ENI_TOO_BIG -> {
        account.limits.doubt(target.slots().type().name());
        yield undo(created, new AllocationOutcome.LimitReached(failure.condition()));
      }
      case Ec2Condition.INSTANCE_GONE -> undo(created, new AllocationOutcome.InstanceNotRunning());
      default ->
          failure.kind() == Failure.Kind.LOST
              ? readBack(created, failure)
              : undo(created, Outcomes.of(failure, current().pool().id()));
    };
  }

  /**
   * Whether the instances' account may not know yet that it may attach (7.2): the permission takes
   * its time to arrive there, and until then the interface is hidden or refused.
   */
  private boolean mayLackPermission(Failure failure) {
    long sinceNanos = account.scheduler.time().nanos() - createdNanos;
    return account.settings.scope().crossAccount()
        && UNTIL_PERMITTED.contains(failure.condition())
        && sinceNanos < PERMISSION.toNanos();
  }

  private CompletionStage<AllocationOutcome> attachLater(NetworkInterface created) {
    CompletableFuture<NetworkInterface> later = new CompletableFuture<>();
    account.scheduler.after(PERMISSION_PAUSE, () -> later.complete(created));
    attaches--;
    return later.thenCompose(this::attach);
  }

  /** Whether the attachment of which we heard nothing was made. */
  private CompletionStage<AllocationOutcome> readBack(NetworkInterface created, Failure failure) {
    return account
        .ec2
        .interfaces(new InterfaceQuery.One(created.id()), context)
        .thenCompose(
            result ->
                result.match(found -> decide(created, found, failure), lost -> unknown(failure)));
  }

  private CompletionStage<AllocationOutcome> decide(
      NetworkInterface created, List<NetworkInterface> found, Failure failure) {
    Optional<Attachment> attachment =
        found.stream().findFirst().flatMap(NetworkInterface::attachment);
    if (attachment.isPresent()) {
      return isOurs(attachment.get()) ? attached(found.get(0), attachment.get()) : again();
    }
    // The attachment may still be on its way: another one is safe, for its index is taken then.
    return attaches < ATTACHES_MAX ? attach(created) : unknown(failure);
  }

  /** Somebody holds the index, perhaps we ourselves: what is attached decides. */
  private CompletionStage<AllocationOutcome> readInstance(
      NetworkInterface created, Failure failure) {
    return account
        .ec2
        .interfaces(new InterfaceQuery.OfInstances(Set.of(target.instance())), context)
        .thenCompose(
            result ->
                result.match(
                    found -> elsewhere(created, found, failure), lost -> unknown(failure)));
  }

  private CompletionStage<AllocationOutcome> elsewhere(
      NetworkInterface created, List<NetworkInterface> found, Failure failure) {
    for (NetworkInterface each : found) {
      if (each.id().equals(created.id()) && each.attachment().isPresent()) {
        return attached(each, each.attachment().get());
      }
    }
    List<Eni> attached =
        found.stream()
            .flatMap(each -> each.attachment().map(place -> Eni.of(each, place)).stream())
            .toList();
    boolean holderShown = attached.stream().anyMatch(eni -> eni.index() == target.index());
    OptionalInt free = target.slots().firstFreeIndex(attached, target.index() + 1);
    if (!holderShown || target.slots().emptySlots(attached) <= 0 || free.isEmpty()) {
      // Who holds the index is not known, so another one might be an interface too many; and it
      // may be let go before a read shows it, so nothing is learned from this.
      return undo(created, Outcomes.of(failure, current().pool().id()));
    }
    target = target.at(free.getAsInt());
    return attaches < ATTACHES_MAX
        ? attach(created)
        : undo(created, Outcomes.of(failure, current().pool().id()));
  }

  /** EC2 takes no more interfaces here, whatever the type's limits say. */
  private CompletionStage<AllocationOutcome> full(NetworkInterface created) {
    account.learned.refused(target.instance(), target.attached());
    return undo(created, new AllocationOutcome.LimitReached(Ec2Condition.INSTANCE_FULL));
  }

  /** Nothing shall remain of an interface that is not attached; what remains, the token finds. */
  private CompletionStage<AllocationOutcome> undo(
      NetworkInterface created, AllocationOutcome outcome) {
    return account
        .ec2
        .delete(created.id(), context.compensating())
        .thenApply(
            result ->
                result.match(
                    id -> {
                      account.creations.used(target.instance());
                      account.pools.gave(created.subnet(), created.addressesHeld());
                      return outcome;
                    },
                    notDeleted -> outcome));
  }

  private CompletionStage<AllocationOutcome> attached(
      NetworkInterface created, Attachment attachment) {
    Eni eni = Eni.of(created, attachment);
    long generation = account.inventory.wrote(target.instance(), true, new Change.Attached<>(eni));
    repair.check(target.instance());
    return done(
        new AllocationOutcome.Allocated(
            List.of(target.slots().podAddresses(eni)),
            Optional.of(eni.id()),
            Optional.empty(),
            generation));
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
    CreateInterfaceRequest request = asked.orElseThrow();
    account.pools.settle(request.subnet(), addresses(request), taken);
  }

  private boolean isOurs(Attachment attachment) {
    return attachment.instance().equals(Optional.of(target.instance()));
  }

  private Rung current() {
    return ladder.get(rung);
  }
}
