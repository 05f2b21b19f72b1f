package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.aws.metadata.InstancePlace;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.provider.kit.step.InterfaceCreation;
import io.tidemark.provider.kit.step.InterfaceRepair;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Creates the interfaces of one instance, in the subnet of its own interface, or in those that the
 * settings choose.
 */
final class InstanceCreation {
  /** How long a creation waits for the mark, which the next read sees to otherwise. */
  private static final Duration MARKING = Duration.ofSeconds(15);

  private static final String SUBNET = "subnet-id";

  private final EniAccount account;
  private final InstancePlace place;
  private final InterfaceRepair<AwsEni> repair;

  InstanceCreation(EniAccount account, InstancePlace place) {
    this.account = account;
    this.place = place;
    this.repair = new InterfaceRepair<>(account.state);
  }

  /** Creates one with these addresses beside its primary one; known interfaces by id. */
  CompletionStage<CallResult<AwsEni>> run(
      List<AwsEni> attached, int singles, int prefixes, CallContext context) {
    Optional<AwsEni> primary = AwsEni.primaryOf(attached);
    Optional<InstanceType> type = account.limits.find(place.type());
    if (primary.isEmpty() || type.isEmpty()) {
      return CallResult.failed(
          Failure.of(
              Failure.Kind.TRANSIENT,
              "notKnown",
              primary.isEmpty()
                  ? "the interfaces of " + place.instance() + " are not known yet"
                  : "the limits of " + place.type() + " are not known yet"));
    }
    if (account.isQuotaUsedUp()) {
      return CallResult.failed(EniAccount.QUOTA_USED_UP);
    }
    EniSlots slots = slots(type.get(), attached, prefixes > 0);
    if (slots.emptySlots(attached) <= 0) {
      return CallResult.failed(
          Ec2Condition.INSTANCE_FULL.failure(
              place.instance() + " has as many interfaces as it can have"));
    }
    EniCreation.Target target =
        new EniCreation.Target(
            place.instance(),
            slots,
            attached,
            slots.firstFreeIndex(attached, 0).orElseThrow(),
            primary.get().securityGroups(),
            0,
            ConnectionTracking.DEFAULT);
    return readSubnets(filter(primary.get()), context)
        .thenCompose(
            result ->
                result.then(
                    read -> create(target, ladder(primary.get(), singles, prefixes), context)));
  }

  private EniSlots slots(InstanceType type, List<AwsEni> attached, boolean blocks) {
    return new EniSlots(
        type,
        EniSpec.EMPTY,
        Math.min(
            type.interfacesOnCard0(),
            account.learned.of(place.instance(), attached).orElse(Integer.MAX_VALUE)),
        account.settings.reservedInterfaces(),
        0,
        blocks,
        account.settings);
  }

  private CompletionStage<CallResult<AwsEni>> create(
      EniCreation.Target target, List<Rung<AwsSubnet>> ladder, CallContext context) {
    if (ladder.isEmpty()) {
      return CallResult.failed(
          Ec2Condition.SUBNET_EXHAUSTED.failure(
              "no subnet that may be used has room for an interface"));
    }
    EniCreation.Owner owner =
        new EniCreation.Owner(
            token ->
                InstanceTags.of(
                    place.instance(), token, account.state.now(), account.settings.tags()),
            eni -> mark(eni, context.until(account.state.nanos() + MARKING.toNanos())));
    return new InterfaceCreation<>(
            account.state,
            new InterfaceCreation.Target<>(
                account.owner.cluster(), place.instance(), target.attached(), target.slots()),
            new EniCreation(account, owner, target, context),
            ladder,
            context)
        .run()
        .thenApply(outcome -> result(outcome, this::created));
  }

  private AwsEni created(AllocationOutcome.Allocated allocated) {
    return account.inventory.find(place.instance()).stream()
        .flatMap(view -> view.interfaces().stream())
        .filter(eni -> allocated.created().filter(eni.id()::equals).isPresent())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("attached, and not known: " + allocated));
  }

  // ---- the mark that has an interface deleted with its instance

  private CompletionStage<CallResult<?>> mark(AwsEni eni, CallContext context) {
    return account
        .ec2
        .markDeleteOnTermination(eni.id(), eni.place().attachmentId(), true, context)
        .thenApply(
            result -> {
              if (result.answer().isPresent()) {
                account.inventory.wrote(
                    place.instance(),
                    true,
                    new Change.Edited<>(eni.id(), each -> each.withDeleteOnTermination(true)));
              }
              return result;
            });
  }

  /** Marks what an earlier attempt, or an earlier program, left unmarked. */
  void repairMarks(boolean settled) {
    if (settled) {
      repair.check(
          place.instance(),
          "",
          eni -> InstanceTags.created(eni, place.instance()) && !eni.place().deleteOnTermination(),
          eni -> eni.withDeleteOnTermination(true),
          (eni, context) ->
              account.ec2.markDeleteOnTermination(
                  eni.id(), eni.place().attachmentId(), true, context));
    }
  }

  // ---- subnets

  /** The subnet of an interface; read when it is not known. */
  CompletionStage<CallResult<Pool<AwsSubnet>>> pool(PoolId id, CallContext context) {
    Optional<Pool<AwsSubnet>> known = account.pools.find(id);
    return known.isPresent()
        ? CallResult.answered(known.get())
        : CallResult.after(
            readSubnets(Ec2Filter.of(SUBNET, Set.of(id.text())), context),
            read ->
                CallResult.of(
                    account.pools.find(id),
                    () ->
                        Failure.of(
                            Failure.Kind.NOT_FOUND,
                            Ec2Condition.STALE_NETWORK.text(),
                            "EC2 shows no subnet " + id.text())));
  }

  private Ec2Filter filter(AwsEni primary) {
    Set<String> ids = account.settings.subnetIds();
    if (ids.isEmpty() && account.settings.subnetTags().isEmpty()) {
      return Ec2Filter.of(SUBNET, Set.of(primary.pool().text()));
    }
    Ec2Filter inVpc = Ec2Filter.of("vpc-id", Set.of(place.vpcId()));
    return (ids.isEmpty() ? inVpc : inVpc.and(SUBNET, ids)).andTags(account.settings.subnetTags());
  }

  /** Those that were read before stay known. */
  private CompletionStage<CallResult<List<AwsSubnet>>> readSubnets(
      Ec2Filter filter, CallContext context) {
    long begun = account.state.nanos();
    return account
        .ec2
        .subnets(filter, context)
        .thenApply(
            result ->
                result.map(
                    read -> {
                      read.forEach(each -> account.pools.accept(EniAccount.pool(each), begun));
                      account.networks(known -> known.withSubnets(read));
                      return read;
                    }));
  }

  private List<Rung<AwsSubnet>> ladder(AwsEni primary, int singles, int prefixes) {
    int addresses = 1 + singles + Pool.BLOCK_SIZE * prefixes;
    return new SubnetSelector(
            EniSpec.EMPTY,
            place.vpcId(),
            place.zone(),
            Optional.of(primary.pool()),
            account.networks(),
            Optional.empty(),
            account.settings)
        .eligible(chosen(primary), addresses, addresses).stream()
            .filter(pool -> prefixes > 0 ? pool.mayHaveBlocks() : pool.hasRoom())
            .flatMap(pool -> rungs(pool, singles, prefixes))
            .toList();
  }

  /** Interfaces can be in other subnets than new ones. */
  private List<Pool<AwsSubnet>> chosen(AwsEni primary) {
    boolean own = account.settings.subnetIds().isEmpty() && account.settings.subnetTags().isEmpty();
    return account.pools.all().stream()
        .filter(pool -> !own || pool.id().equals(primary.pool()))
        .toList();
  }

  /** The primary address is one of the free ones. */
  private static Stream<Rung<AwsSubnet>> rungs(Pool<AwsSubnet> pool, int singles, int prefixes) {
    return InstanceInterfaces.rungs(pool, Math.min(singles, pool.free() - 1), prefixes).stream();
  }

  // ---- endings

  /** The outcome of an attempt as that of one request. */
  static <T> CallResult<T> result(
      AllocationOutcome outcome, Function<AllocationOutcome.Allocated, T> allocated) {
    if (outcome instanceof AllocationOutcome.Allocated some) {
      return new CallResult.Answered<>(allocated.apply(some));
    }
    return new CallResult.Failed<>(failure(outcome));
  }

  private static Failure failure(AllocationOutcome outcome) {
    if (outcome instanceof AllocationOutcome.PoolExhausted exhausted) {
      return Ec2Condition.SUBNET_EXHAUSTED.failure(
          exhausted.pool().text() + " has not enough free addresses");
    }
    if (outcome instanceof AllocationOutcome.LimitReached reached) {
      return Failure.of(Failure.Kind.CAPACITY, reached.limit(), "EC2 gives no more here");
    }
    if (outcome instanceof AllocationOutcome.Refused refused) {
      return refused.failure();
    }
    return outcome instanceof AllocationOutcome.Unknown unknown
        ? unknown.failure()
        : Ec2Condition.INSTANCE_NOT_RUNNING.failure("it is stopping");
  }
}
