package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.aws.ec2.NetworkInterface;
import io.tidemark.provider.aws.ec2.Subnet;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.ClientToken;
import io.tidemark.provider.kit.InTime;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.provider.kit.step.InterfaceRepair;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Creates an interface and hands it to {@link EniAttaching} (provider-aws 2.2, 2.5, M6). The
 * request carries a token that follows from the situation, so whoever repeats it, after a lost
 * answer or a restart, gets the same interface.
 */
final class EniCreation {
  private static final int TOKENS_MAX = 8;

  /** Its token stands for the situation, whatever ordinals it is at. */
  private static final int BEFORE_ALL = -1;

  private final EniAccount account;
  private final InstanceId instance;
  private final EniAttaching attaching;
  private final List<Rung<Subnet>> ladder;
  private final CallContext context;
  private int rung;
  private int tokens;
  private long createdNanos;
  private String token = "";
  private Optional<CreateInterfaceRequest> asked = Optional.empty();

  /** Made for one attempt, used once. */
  EniCreation(
      EniAccount account,
      InterfaceRepair<Eni> repair,
      CreationTarget target,
      List<Rung<Subnet>> ladder,
      CallContext context) {
    this.account = account;
    this.instance = target.instance();
    this.attaching = new EniAttaching(account, repair, target, context);
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
    token = token(account.creations.ordinal(instance));
    tokens++;
    account.creations.begin(token);
    CreateInterfaceRequest request =
        Optional.ofNullable(account.lostCreations.get(instance))
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
    CreationTarget target = attaching.target();
    return ClientToken.of(
        account.owner.cluster(),
        target.instance(),
        target.index(),
        target.attached().stream().map(Eni::id).sorted().toList(),
        ordinal);
  }

  private CreateInterfaceRequest request() {
    CreationTarget target = attaching.target();
    return new CreateInterfaceRequest(
        current().pool().id(),
        account.settings.description() + " (" + target.instance() + ")",
        target.securityGroups(),
        account.owner.of(target.instance(), token, account.now(), account.settings.tags()),
        current().singles(),
        current().blocks(),
        current().pool().subnet().ipv6().isPresent() ? target.ipv6Prefixes() : 0,
        target.tracking(),
        token);
  }

  private static int addresses(CreateInterfaceRequest request) {
    return 1 + request.singles() + Pool.BLOCK_SIZE * request.prefixes();
  }

  private CompletionStage<AllocationOutcome> created(NetworkInterface created) {
    account.lostCreations.remove(instance);
    settle(created.addressesHeld());
    createdNanos = account.scheduler.time().nanos();
    return continueWith(created);
  }

  private CompletionStage<AllocationOutcome> notCreated(Failure failure) {
    if (failure.kind() == Failure.Kind.LOST) {
      CreateInterfaceRequest request = asked.orElseThrow();
      account.lostCreations.put(instance, request);
      settle(addresses(request));
      return unknown(failure);
    }
    account.lostCreations.remove(instance);
    settle(0);
    if (failure.condition().equals(Ec2Condition.TOKEN_MISMATCH)) {
      return findByToken();
    }
    if (failure.condition().equals(Ec2Condition.REGION_QUOTA)) {
      account.creationStop.quotaExceeded();
    }
    if (!EniAccount.FAILURES.isPool(failure)) {
      return done(EniAccount.FAILURES.outcome(failure, current().pool().id()));
    }
    if (current().blocks() > 0) {
      account.pools.fragmented(current().pool().id());
    } else {
      account.pools.exhausted(current().pool().id());
    }
    if (rung + 1 == ladder.size()) {
      return done(EniAccount.FAILURES.outcome(failure, current().pool().id()));
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
                    failure -> done(EniAccount.FAILURES.outcome(failure, current().pool().id()))));
  }

  private CompletionStage<AllocationOutcome> unseen() {
    boolean gone =
        account.creations.unseenFor(
            account.settings.horizon(),
            instance,
            token(BEFORE_ALL),
            account.scheduler.time().nanos());
    return gone
        ? again()
        : done(
            new AllocationOutcome.Refused(
                Failure.of(
                    Failure.Kind.TRANSIENT,
                    "createdButNotShown",
                    "an interface exists for " + instance + " that no read shows yet")));
  }

  /** The interface of this token is gone: the situation gets its next token. */
  private CompletionStage<AllocationOutcome> again() {
    account.creations.used(instance);
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
    return attaching
        .run(created, createdNanos)
        .thenCompose(end -> end.isPresent() ? done(end.get()) : again());
  }

  private CompletionStage<AllocationOutcome> unknown(Failure failure) {
    account.inventory.wrote(instance, false, new Change.Unclear<>());
    return done(new AllocationOutcome.Unknown(failure));
  }

  private void settle(int taken) {
    CreateInterfaceRequest request = asked.orElseThrow();
    account.pools.settle(request.subnet(), addresses(request), taken);
  }

  private Rung<Subnet> current() {
    return ladder.get(rung);
  }
}
