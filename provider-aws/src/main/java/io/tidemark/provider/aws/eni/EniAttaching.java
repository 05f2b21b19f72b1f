package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.aws.ec2.NetworkInterface;
import io.tidemark.provider.aws.ec2.NetworkInterface.Attachment;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.step.InterfaceRepair;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Attaches created interfaces of one attempt (provider-aws 2.5, 2.6, 7.2, M7). The request names
 * the device index, so it happens at most once. An interface that could not be attached is deleted;
 * one that was attached is kept, and its delete-on-termination mark is set by {@link
 * InterfaceRepair} apart from this.
 */
final class EniAttaching {
  private static final int ATTACHES_MAX = 5;

  /** How long the permission to attach may be on its way to the other account. */
  private static final Duration PERMISSION = Duration.ofSeconds(30);

  private static final Duration PERMISSION_PAUSE = Duration.ofSeconds(2);
  private static final Set<String> UNTIL_PERMITTED =
      Set.of(Ec2Condition.ENI_GONE, Ec2Condition.UNAUTHORIZED, Ec2Condition.NOT_OURS);

  /** The interface does not exist any more, or is another instance's. */
  private static final CompletionStage<Optional<AllocationOutcome>> GONE = done(Optional.empty());

  private final EniAccount account;
  private final InterfaceRepair<Eni> repair;
  private final CallContext context;
  private CreationTarget target;
  private int attaches;
  private long createdNanos;

  /** Made for one attempt; takes one interface after the other. */
  EniAttaching(
      EniAccount account, InterfaceRepair<Eni> repair, CreationTarget target, CallContext context) {
    this.account = account;
    this.repair = repair;
    this.target = target;
    this.context = context;
  }

  /** Where the interface is to go: the device index may have changed on the way. */
  CreationTarget target() {
    return target;
  }

  /**
   * Brings an interface to the instance, or undoes its creation.
   *
   * @param since when this attempt created an interface last, in monotonic nanoseconds
   * @return ends with the outcome, or empty when the interface is gone: the next is to be created
   */
  CompletionStage<Optional<AllocationOutcome>> run(NetworkInterface created, long since) {
    createdNanos = since;
    if (created.attachment().isEmpty()) {
      return attach(created);
    }
    return isOurs(created.attachment().get())
        ? attached(created, created.attachment().get())
        : GONE;
  }

  private CompletionStage<Optional<AllocationOutcome>> attach(NetworkInterface created) {
    attaches++;
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

  private CompletionStage<Optional<AllocationOutcome>> notAttached(
      NetworkInterface created, Failure failure) {
    if (mayLackPermission(failure)) {
      return attachLater(created);
    }
    return switch (failure.condition()) {
      case Ec2Condition.ENI_GONE -> GONE;
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
              : undo(created, EniAccount.FAILURES.outcome(failure, created.subnet()));
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

  private CompletionStage<Optional<AllocationOutcome>> attachLater(NetworkInterface created) {
    CompletableFuture<NetworkInterface> later = new CompletableFuture<>();
    account.scheduler.after(PERMISSION_PAUSE, () -> later.complete(created));
    attaches--;
    return later.thenCompose(this::attach);
  }

  /** Whether the attachment of which we heard nothing was made. */
  private CompletionStage<Optional<AllocationOutcome>> readBack(
      NetworkInterface created, Failure failure) {
    return account
        .ec2
        .interfaces(new InterfaceQuery.One(created.id()), context)
        .thenCompose(
            result ->
                result.match(
                    found -> decide(created, found, failure), lost -> unknown(created, failure)));
  }

  private CompletionStage<Optional<AllocationOutcome>> decide(
      NetworkInterface created, List<NetworkInterface> found, Failure failure) {
    Optional<Attachment> attachment =
        found.stream().findFirst().flatMap(NetworkInterface::attachment);
    if (attachment.isPresent()) {
      return isOurs(attachment.get()) ? attached(found.get(0), attachment.get()) : GONE;
    }
    // The attachment may still be on its way: another one is safe, for its index is taken then.
    return attaches < ATTACHES_MAX ? attach(created) : unknown(created, failure);
  }

  /** Somebody holds the index, perhaps we ourselves: what is attached decides. */
  private CompletionStage<Optional<AllocationOutcome>> readInstance(
      NetworkInterface created, Failure failure) {
    return account
        .ec2
        .interfaces(new InterfaceQuery.OfInstances(Set.of(target.instance())), context)
        .thenCompose(
            result ->
                result.match(
                    found -> elsewhere(created, found, failure),
                    lost -> unknown(created, failure)));
  }

  private CompletionStage<Optional<AllocationOutcome>> elsewhere(
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
      return undo(created, EniAccount.FAILURES.outcome(failure, created.subnet()));
    }
    target = target.at(free.getAsInt());
    return attaches < ATTACHES_MAX
        ? attach(created)
        : undo(created, EniAccount.FAILURES.outcome(failure, created.subnet()));
  }

  /** EC2 takes no more interfaces here, whatever the type's limits say. */
  private CompletionStage<Optional<AllocationOutcome>> full(NetworkInterface created) {
    account.learned.refused(target.instance(), target.attached());
    return undo(created, new AllocationOutcome.LimitReached(Ec2Condition.INSTANCE_FULL));
  }

  /** Nothing shall remain of an interface that is not attached; what remains, the token finds. */
  private CompletionStage<Optional<AllocationOutcome>> undo(
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
                      return Optional.of(outcome);
                    },
                    notDeleted -> Optional.of(outcome)));
  }

  private CompletionStage<Optional<AllocationOutcome>> attached(
      NetworkInterface created, Attachment attachment) {
    Eni eni = Eni.of(created, attachment);
    long generation = account.inventory.wrote(target.instance(), true, new Change.Attached<>(eni));
    account.repairMarks(repair, target.instance());
    return ended(
        new AllocationOutcome.Allocated(
            List.of(target.slots().podAddresses(eni)),
            Optional.of(eni.id()),
            Optional.empty(),
            generation));
  }

  private CompletionStage<Optional<AllocationOutcome>> unknown(
      NetworkInterface created, Failure failure) {
    account.inventory.wrote(target.instance(), false, new Change.AttachLost<>(created.id()));
    return ended(
        new AllocationOutcome.Unknown(
            failure.kind() == Failure.Kind.LOST
                ? failure
                : Failure.of(Failure.Kind.LOST, failure.condition(), failure.detail())));
  }

  private boolean isOurs(Attachment attachment) {
    return attachment.instance().equals(Optional.of(target.instance()));
  }

  private static CompletionStage<Optional<AllocationOutcome>> ended(AllocationOutcome outcome) {
    return done(Optional.of(outcome));
  }
}
