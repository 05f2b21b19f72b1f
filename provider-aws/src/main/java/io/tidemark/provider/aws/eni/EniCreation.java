package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.provider.kit.step.AttachFailure;
import io.tidemark.provider.kit.step.AttachFailure.Kind;
import io.tidemark.provider.kit.step.CreationRequests;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The requests of one creation of an interface and what their failures mean (provider-aws 2.2, 2.5,
 * 2.6, 7.2, M6, M7). Attaching names the device index, so it happens at most once.
 */
final class EniCreation implements CreationRequests<AwsEni, AwsSubnet, AwsNetworkInterface> {
  private static final int ATTACHES_MAX = 5;

  /** How long the permission to attach may be on its way to the other account. */
  private static final Duration PERMISSION = Duration.ofSeconds(30);

  private static final Duration PERMISSION_PAUSE = Duration.ofSeconds(2);
  private static final Set<Ec2Condition> UNTIL_PERMITTED =
      Set.of(Ec2Condition.ENI_GONE, Ec2Condition.UNAUTHORIZED, Ec2Condition.NOT_OURS);

  private final EniAccount account;
  private final Owner owner;
  private final CallContext context;
  private final Target target;
  private int index;
  private long createdNanos;

  /**
   * Whose the interface is.
   *
   * @param tags that it gets, by the token of its creation
   * @param mark sees to its delete-on-termination mark once it is attached; its failure does not
   *     fail the creation
   */
  record Owner(
      Function<String, Map<String, String>> tags, Function<AwsEni, CompletionStage<?>> mark) {
    /** The operator of a cluster; marks are repaired apart from the creation. */
    static Owner cluster(EniAccount account, Runnable repairMarks, InstanceId instance) {
      return new Owner(
          token -> account.owner.of(instance, token, account.state.now(), account.settings.tags()),
          attached -> {
            repairMarks.run();
            return done(true);
          });
    }
  }

  /**
   * Where a new interface belongs.
   *
   * @param attached what is attached to the instance, ids ascending
   * @param index device index it is for
   * @param tracking timeouts of idle connections
   */
  record Target(
      InstanceId instance,
      EniSlots slots,
      List<AwsEni> attached,
      int index,
      List<String> securityGroups,
      int ipv6Prefixes,
      ConnectionTracking tracking) {}

  EniCreation(EniAccount account, Owner owner, Target target, CallContext context) {
    this.account = account;
    this.owner = owner;
    this.target = target;
    this.index = target.index();
    this.context = context;
  }

  @Override
  public String place() {
    return Integer.toString(index);
  }

  @Override
  public CreationRequests.Order<AwsNetworkInterface> order(Rung<AwsSubnet> rung, String token) {
    CreateInterfaceRequest request =
        Optional.ofNullable(account.lostCreations.get(target.instance()))
            .filter(lost -> lost.token().equals(token))
            .orElseGet(() -> request(rung, token));
    int addresses = 1 + request.singles() + Pool.BLOCK_SIZE * request.prefixes();
    return new CreationRequests.Order<>(request.subnet(), addresses, () -> send(request));
  }

  private CreateInterfaceRequest request(Rung<AwsSubnet> rung, String token) {
    return new CreateInterfaceRequest(
        rung.pool().id(),
        account.settings.description() + InstanceTags.described(target.instance()),
        target.securityGroups(),
        owner.tags().apply(token),
        rung.singles(),
        rung.blocks(),
        rung.pool().subnet().ipv6().isPresent() ? target.ipv6Prefixes() : 0,
        target.tracking(),
        token);
  }

  /** Remembers a request whose answer was lost. */
  private CompletionStage<CallResult<AwsNetworkInterface>> send(CreateInterfaceRequest request) {
    InstanceId instance = target.instance();
    return account
        .ec2
        .create(request, context)
        .thenApply(
            result -> {
              boolean lost = result.match(created -> created(), this::notCreated);
              if (lost) {
                account.lostCreations.put(instance, request);
              } else {
                account.lostCreations.remove(instance);
              }
              return result;
            });
  }

  private boolean created() {
    createdNanos = account.state.nanos();
    return false;
  }

  private boolean notCreated(Failure failure) {
    boolean lost = failure.kind() == Failure.Kind.LOST;
    if (!lost && Ec2Condition.REGION_QUOTA.is(failure)) {
      account.quotaMet();
    }
    return lost;
  }

  @Override
  public boolean isTokenMismatch(Failure failure) {
    return Ec2Condition.TOKEN_MISMATCH.is(failure);
  }

  @Override
  public CompletionStage<CallResult<List<AwsNetworkInterface>>> find(String token) {
    return account.ec2.interfaces(Ec2Filter.ofTags(Map.of(OwnerTags.TOKEN, token)), context);
  }

  @Override
  public CreationRequests.Shown<AwsEni> shown(AwsNetworkInterface created) {
    Optional<Attachment> attachment = created.attachment();
    return new CreationRequests.Shown<>(
        created.id(),
        created.subnet(),
        created.addressesHeld(),
        attachment.map(place -> AwsEni.of(created, place)),
        attachment.flatMap(Attachment::instance).filter(target.instance()::equals).isPresent());
  }

  @Override
  public int attachesMax() {
    return ATTACHES_MAX;
  }

  @Override
  public CompletionStage<CallResult<AwsEni>> attach(AwsNetworkInterface created) {
    return account
        .ec2
        .attach(created.id(), target.instance(), index, context)
        .thenApply(result -> result.map(id -> AwsEni.of(created, justAttached(id))));
  }

  private Attachment justAttached(String attachmentId) {
    return new Attachment(
        attachmentId, Optional.of(target.instance()), 0, index, false, "attaching");
  }

  @Override
  public CompletionStage<AttachFailure<AwsEni>> meaning(
      AwsNetworkInterface created, Failure failure, int attaches) {
    if (mayLackPermission(failure)) {
      return done(AttachFailure.later(PERMISSION_PAUSE));
    }
    return switch (Ec2Condition.of(failure)) {
      case ENI_GONE -> done(AttachFailure.of(Kind.GONE));
      case ENI_IN_USE -> done(AttachFailure.of(Kind.UNCLEAR));
      case INDEX_CONFLICT -> readInstance(created, failure);
      case INSTANCE_FULL -> done(full());
      case ENI_TOO_BIG -> {
        account.limits.doubt(target.slots().type().name());
        yield done(undo(new AllocationOutcome.LimitReached(failure.condition())));
      }
      case INSTANCE_GONE -> done(undo(new AllocationOutcome.InstanceNotRunning()));
      default ->
          done(
              failure.kind() == Failure.Kind.LOST
                  ? AttachFailure.of(Kind.UNCLEAR)
                  : undo(EniAccount.FAILURES.outcome(failure, created.subnet())));
    };
  }

  /**
   * Whether the instances' account may not know yet that it may attach (7.2): the permission takes
   * its time to arrive there, and until then the interface is hidden or refused.
   */
  private boolean mayLackPermission(Failure failure) {
    return account.settings.scope().crossAccount()
        && UNTIL_PERMITTED.contains(Ec2Condition.of(failure))
        && account.state.nanos() - createdNanos < PERMISSION.toNanos();
  }

  /** Somebody holds the index, perhaps we ourselves: what is attached decides. */
  private CompletionStage<AttachFailure<AwsEni>> readInstance(
      AwsNetworkInterface created, Failure failure) {
    return account
        .ec2
        .attachedTo(Set.of(target.instance()), context)
        .thenApply(
            result ->
                result.match(
                    found -> elsewhere(created, found, failure),
                    lost -> AttachFailure.of(Kind.UNKNOWN)));
  }

  private AttachFailure<AwsEni> elsewhere(
      AwsNetworkInterface created, List<AwsNetworkInterface> found, Failure failure) {
    for (AwsNetworkInterface each : found) {
      if (each.id().equals(created.id()) && each.attachment().isPresent()) {
        return AttachFailure.attached(AwsEni.of(each, each.attachment().get()));
      }
    }
    List<AwsEni> attached =
        found.stream()
            .flatMap(each -> each.attachment().map(place -> AwsEni.of(each, place)).stream())
            .toList();
    AllocationOutcome conflict = EniAccount.FAILURES.outcome(failure, created.subnet());
    boolean holderShown = attached.stream().anyMatch(eni -> eni.index() == index);
    OptionalInt free = target.slots().firstFreeIndex(attached, index + 1);
    if (!holderShown || target.slots().emptySlots(attached) <= 0 || free.isEmpty()) {
      // Who holds the index is not known, so another one might be an interface too many; and it
      // may be let go before a read shows it, so nothing is learned from this.
      return undo(conflict);
    }
    index = free.getAsInt();
    return AttachFailure.of(Kind.ELSEWHERE, conflict);
  }

  /** EC2 takes no more interfaces here, whatever the type's limits say. */
  private AttachFailure<AwsEni> full() {
    account.learned.refused(target.instance(), target.attached());
    return undo(new AllocationOutcome.LimitReached(Ec2Condition.INSTANCE_FULL.text()));
  }

  private static AttachFailure<AwsEni> undo(AllocationOutcome outcome) {
    return AttachFailure.of(Kind.UNDO, outcome);
  }

  @Override
  public CompletionStage<CallResult<List<AwsNetworkInterface>>> read(InterfaceId id) {
    return account.ec2.find(id, context);
  }

  @Override
  public CompletionStage<CallResult<InterfaceId>> delete(InterfaceId id, CallContext compensating) {
    return account.ec2.delete(id, compensating);
  }

  @Override
  public CompletionStage<Long> finish(AwsEni attached, long generation) {
    return owner.mark().apply(attached).thenApply(marked -> generation);
  }
}
