package io.tidemark.provider.kit.step;

import static java.util.concurrent.CompletableFuture.completedStage;

import io.tidemark.metrics.Metric;
import io.tidemark.provider.kit.AccountState;
import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.ClientToken;
import io.tidemark.provider.kit.InTime;
import io.tidemark.provider.kit.plan.SlotModel;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Creates an interface and attaches it (node-manager 13 D-15).
 *
 * <p>The token of the creation is derived from the situation, so a repetition after a lost response
 * or a restart returns the same interface. An interface that could not be attached is deleted; one
 * that was attached is kept. Made for one attempt, used once.
 *
 * @param <C> an interface as the cloud describes it, attached or not
 */
public final class InterfaceCreation<I extends CachedInterface<I>, S, C> {
  private static final int TOKENS_MAX = 8;

  /** Its token identifies the situation, whatever ordinal it has. */
  private static final int BEFORE_ALL = -1;

  private final AccountState<I, S> account;
  private final Target<I> target;
  private final CreationRequests<I, S, C> cloud;
  private final List<Rung<S>> ladder;
  private final CallContext context;
  private int rung;
  private int tokens;
  private int attaches;
  private String token = "";

  /**
   * The instance for which an interface is created.
   *
   * @param cluster keeps the tokens of clusters in one account apart
   * @param attached what is attached to the instance, ids ascending
   * @param slots which of its addresses pods can use
   */
  public record Target<I extends CachedInterface<I>>(
      String cluster, InstanceId instance, List<I> attached, SlotModel<I> slots) {}

  /** Nothing is sent yet. */
  public InterfaceCreation(
      AccountState<I, S> account,
      Target<I> target,
      CreationRequests<I, S, C> cloud,
      List<Rung<S>> ladder,
      CallContext context) {
    this.account = account;
    this.target = target;
    this.cloud = cloud;
    this.ladder = List.copyOf(ladder);
    this.context = context;
  }

  /**
   * Sends the requests; ends with the outcome, or at the context's deadline with {@link
   * AllocationOutcome.Unknown}, while clean-up continues. With an empty ladder the context's token
   * is returned.
   */
  public CompletionStage<AllocationOutcome> run() {
    if (ladder.isEmpty()) {
      context.giveBackToken();
      return refused(Failure.Kind.CONFLICT, "nothingToAsk", "no subnet has room for an interface");
    }
    return InTime.orUnknown(
        create().whenComplete((outcome, thrown) -> account.creations().end(token)),
        context.deadlineNanos(),
        account.scheduler());
  }

  // ---- step 1: create

  private CompletionStage<AllocationOutcome> create() {
    account.creations().abandon(token);
    token = token(account.creations().ordinal(target.instance()));
    tokens++;
    account.creations().begin(token);
    CreationRequests.Order<C> order = cloud.order(current(), token);
    account.pools().reserve(order.pool(), order.addresses());
    return order
        .send()
        .get()
        .thenCompose(
            result ->
                result.match(
                    created -> created(order, created), failure -> notCreated(order, failure)));
  }

  private String token(int ordinal) {
    List<InterfaceId> attached = target.attached().stream().map(CachedInterface::id).toList();
    return ClientToken.of(target.cluster(), target.instance(), cloud.place(), attached, ordinal);
  }

  private CompletionStage<AllocationOutcome> created(CreationRequests.Order<C> order, C created) {
    account.pools().settle(order.pool(), order.addresses(), cloud.shown(created).addresses());
    return attachOrTake(created);
  }

  private CompletionStage<AllocationOutcome> notCreated(
      CreationRequests.Order<C> order, Failure failure) {
    boolean lost = failure.kind() == Failure.Kind.LOST;
    account.pools().settle(order.pool(), order.addresses(), lost ? order.addresses() : 0);
    if (lost) {
      return unknown(failure, new Change.Unclear<>());
    }
    if (cloud.isTokenMismatch(failure)) {
      return findByToken();
    }
    if (!account.failures().isPool(failure)) {
      return failed(failure);
    }
    if (current().blocks() > 0) {
      account.pools().fragmented(current().pool().id());
    } else {
      account.pools().exhausted(current().pool().id());
    }
    if (rung + 1 == ladder.size()) {
      return failed(failure);
    }
    rung++;
    account.metrics().count(Metric.ENI_FALLBACK, current().label());
    return create();
  }

  /** An earlier attempt asked for other numbers under this token: take what it made. */
  private CompletionStage<AllocationOutcome> findByToken() {
    return cloud
        .find(token)
        .thenCompose(
            result ->
                result.match(
                    found -> found.isEmpty() ? unseen() : attachOrTake(found.get(0)),
                    this::failed));
  }

  private CompletionStage<AllocationOutcome> unseen() {
    return account.creations().unseenFor(account.horizon(), target.instance(), token(BEFORE_ALL))
        ? again()
        : refused(
            Failure.Kind.TRANSIENT,
            "createdButNotShown",
            "an interface exists for " + target.instance() + " that no read shows yet");
  }

  /** The interface of this token is gone: the situation gets its next token. */
  private CompletionStage<AllocationOutcome> again() {
    account.creations().used(target.instance());
    return tokens < TOKENS_MAX
        ? create()
        : refused(
            Failure.Kind.CONFLICT,
            "tokensUsedUp",
            TOKENS_MAX + " created interfaces are gone again; the next attempt continues");
  }

  // ---- step 2: attach

  private CompletionStage<AllocationOutcome> attachOrTake(C created) {
    CreationRequests.Shown<I> shown = cloud.shown(created);
    return shown.attached().isEmpty() ? attach(created) : takeOrAgain(shown);
  }

  private CompletionStage<AllocationOutcome> takeOrAgain(CreationRequests.Shown<I> shown) {
    return shown.here() ? attached(shown.attached().orElseThrow()) : again();
  }

  private CompletionStage<AllocationOutcome> attach(C created) {
    attaches++;
    return cloud
        .attach(created)
        .thenCompose(
            result -> result.match(this::attached, failure -> notAttached(created, failure)));
  }

  private CompletionStage<AllocationOutcome> notAttached(C created, Failure failure) {
    return cloud
        .meaning(created, failure, attaches)
        .thenCompose(meaning -> react(created, failure, meaning));
  }

  private CompletionStage<AllocationOutcome> react(
      C created, Failure failure, AttachFailure<I> meaning) {
    return switch (meaning.kind()) {
      case GONE -> again();
      case UNCLEAR -> readBack(created, failure);
      case LATER -> {
        attaches--;
        yield after(meaning.pause()).thenCompose(now -> attach(created));
      }
      case ELSEWHERE ->
          attaches < cloud.attachesMax()
              ? attach(created)
              : undo(created, meaning.outcome().orElseThrow());
      case ATTACHED -> attached(meaning.attached().orElseThrow());
      case UNKNOWN -> attachUnknown(created, failure);
      case UNDO ->
          undo(
              created,
              meaning
                  .outcome()
                  .orElseGet(
                      () -> account.failures().outcome(failure, cloud.shown(created).pool())));
    };
  }

  private CompletionStage<Void> after(Duration pause) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    account.scheduler().after(pause, () -> over.complete(null));
    return over;
  }

  /** Whether the attachment of which we heard nothing was made. */
  private CompletionStage<AllocationOutcome> readBack(C created, Failure failure) {
    return cloud
        .read(cloud.shown(created).id())
        .thenCompose(
            result ->
                result.match(
                    found -> decide(created, found, failure),
                    lost -> attachUnknown(created, failure)));
  }

  /** An attachment on its way does no harm to another attempt: one of the two is refused. */
  private CompletionStage<AllocationOutcome> decide(C created, List<C> found, Failure failure) {
    Optional<CreationRequests.Shown<I>> shown =
        found.stream().findFirst().map(cloud::shown).filter(each -> each.attached().isPresent());
    if (shown.isPresent()) {
      return takeOrAgain(shown.get());
    }
    return attaches < cloud.attachesMax() ? attach(created) : attachUnknown(created, failure);
  }

  /** Deletes what is not attached; if that fails, the token leads back to it. */
  private CompletionStage<AllocationOutcome> undo(C created, AllocationOutcome outcome) {
    CreationRequests.Shown<I> shown = cloud.shown(created);
    return cloud
        .delete(shown.id(), context.compensating())
        .thenApply(
            result ->
                result.match(
                    id -> {
                      account.creations().used(target.instance());
                      account.pools().gave(shown.pool(), shown.addresses());
                      return outcome;
                    },
                    notDeleted -> outcome));
  }

  private CompletionStage<AllocationOutcome> attached(I made) {
    long generation =
        account.inventory().wrote(target.instance(), true, new Change.Attached<>(made));
    return cloud
        .finish(made, generation)
        .thenApply(
            latest ->
                new AllocationOutcome.Allocated(
                    List.of(target.slots().podAddresses(made)),
                    Optional.of(made.id()),
                    Optional.empty(),
                    latest));
  }

  // ---- endings

  private CompletionStage<AllocationOutcome> attachUnknown(C created, Failure failure) {
    return unknown(failure, new Change.AttachLost<>(cloud.shown(created).id()));
  }

  private CompletionStage<AllocationOutcome> unknown(Failure failure, Change<I> doubt) {
    account.inventory().wrote(target.instance(), false, doubt);
    return completedStage(
        new AllocationOutcome.Unknown(
            failure.kind() == Failure.Kind.LOST
                ? failure
                : Failure.of(Failure.Kind.LOST, failure.condition(), failure.detail())));
  }

  private CompletionStage<AllocationOutcome> failed(Failure failure) {
    return completedStage(account.failures().outcome(failure, current().pool().id()));
  }

  private Rung<S> current() {
    return ladder.get(rung);
  }

  private static CompletionStage<AllocationOutcome> refused(
      Failure.Kind kind, String condition, String detail) {
    return completedStage(new AllocationOutcome.Refused(Failure.of(kind, condition, detail)));
  }
}
