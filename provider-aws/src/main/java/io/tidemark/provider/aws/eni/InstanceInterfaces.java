package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Meters;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.Ec2Accounts;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.aws.metadata.InstanceInterface;
import io.tidemark.provider.aws.metadata.InstancePlace;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.ReadMark;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.provider.kit.step.AddressAssignment;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.time.TaskScheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * The interfaces of one instance, for a program that works for it alone (eni-datastore 21.1).
 * Changes are sent one after the other; reads may overlap. What a change did is in the reads after
 * it, though EC2 may show it later. Never blocks, and no stage ends exceptionally.
 */
public final class InstanceInterfaces {
  private final EniAccount account;
  private final InstancePlace place;
  private final InstanceCreation creation;
  private final InstanceLeftovers leftovers;

  /**
   * Sends nothing yet.
   *
   * @param ec2 of the region of the instance; called only inside requests
   * @param place the instance, as its metadata have it
   * @param shutdown ends what is under way
   */
  public InstanceInterfaces(
      Ec2Api ec2,
      CloudCalls calls,
      EniSettings settings,
      InstancePlace place,
      Limits limits,
      TaskScheduler scheduler,
      Meters metrics,
      Cancellation shutdown) {
    Ec2Accounts one = Ec2Accounts.one(ec2);
    this.account =
        new EniAccount(
            new Ec2Calls(() -> one, calls, calls),
            settings,
            new OwnerTags(""),
            limits,
            scheduler,
            metrics,
            Whereabouts.UNKNOWN,
            shutdown);
    this.place = place;
    this.creation = new InstanceCreation(account, place);
    this.leftovers = new InstanceLeftovers(account, place.instance());
  }

  /** The limits of the instance's type; empty while it is unknown. */
  public Optional<InstanceType> limits() {
    return account.limits.find(place.type());
  }

  /**
   * The attached interfaces, by card and device, the instance's own interface first. Interfaces
   * that this program or an earlier one created here and left behind unattached are deleted beside.
   */
  public CompletionStage<CallResult<List<InstanceInterface>>> read() {
    ReadMark mark = account.inventory.beginRead();
    return account
        .ec2
        .attachedTo(Set.of(place.instance()), context(Priority.Rank.VERIFY))
        .thenApply(result -> result.flatMap(found -> taken(mark, found)));
  }

  private CallResult<List<InstanceInterface>> taken(
      ReadMark mark, List<AwsNetworkInterface> found) {
    List<AwsEni> attached = new ArrayList<>();
    Set<String> adapters = new HashSet<>();
    for (AwsNetworkInterface each : found) {
      each.attachment()
          .filter(at -> at.instance().filter(place.instance()::equals).isPresent())
          .filter(at -> !at.status().equals("detaching") && !at.status().equals("detached"))
          .ifPresent(at -> attached.add(AwsEni.of(each, at)));
      if (each.type().startsWith("efa")) {
        adapters.add(each.id().text());
      }
    }
    if (AwsEni.primaryOf(attached).isEmpty()) {
      return new CallResult.Failed<>(
          Failure.of(
              Failure.Kind.TRANSIENT,
              "notAttached",
              "EC2 shows no interface at device 0 of " + place.instance()));
    }
    attached.sort(Comparator.comparing(AwsEni::id));
    List<AwsEni> before = known();
    boolean settled = account.inventory.accept(mark, place.instance(), attached);
    creation.repairMarks(settled);
    if (before.stream().anyMatch(this::hasLeft)) {
      leftovers.suspect();
    }
    leftovers.check();
    return new CallResult.Answered<>(
        known().stream()
            .sorted(
                Comparator.comparing((AwsEni eni) -> eni.place().card())
                    .thenComparing(AwsEni::index))
            .map(eni -> shown(eni, InstanceTags.managed(eni), adapters.contains(eni.id().text())))
            .toList());
  }

  private boolean hasLeft(AwsEni before) {
    return InstanceTags.created(before, place.instance()) && find(before.id().text()).isEmpty();
  }

  /** Interfaces by id; none before the first read. */
  private List<AwsEni> known() {
    return account
        .inventory
        .find(place.instance())
        .map(view -> view.interfaces())
        .orElse(List.of());
  }

  private Optional<AwsEni> find(String id) {
    return known().stream().filter(eni -> eni.id().text().equals(id)).findFirst();
  }

  private static InstanceInterface shown(AwsEni eni, boolean managed, boolean efa) {
    return new InstanceInterface(
        eni.id().text(),
        eni.place().card(),
        eni.index(),
        eni.mac(),
        eni.pool().text(),
        managed ? use(eni) : InstanceInterface.Use.OF_OTHERS,
        efa,
        eni.singles(),
        eni.prefixes(),
        eni.ipv6Prefixes());
  }

  private static InstanceInterface.Use use(AwsEni eni) {
    return switch (eni.kind()) {
      case ORDINARY -> InstanceInterface.Use.PODS;
      case TRUNK -> InstanceInterface.Use.TRUNK;
      case UNMANAGED -> InstanceInterface.Use.OF_OTHERS;
    };
  }

  /** The IPv4 CIDR of a subnet. */
  public CompletionStage<CallResult<Cidr>> subnetCidr(String id) {
    return creation
        .pool(new PoolId(id), context(Priority.Rank.VERIFY))
        .thenApply(result -> result.map(pool -> pool.subnet().cidr()));
  }

  /**
   * Creates an interface on card 0, attaches it, and has it deleted with its instance. It has the
   * security groups of the instance's own interface.
   *
   * @param singles addresses beside the primary one; 0 with prefixes
   * @param prefixes /28 blocks
   */
  public CompletionStage<CallResult<InstanceInterface>> create(int singles, int prefixes) {
    return creation
        .run(known(), singles, prefixes, context(Priority.Rank.BELOW_WATERMARK))
        .thenApply(result -> watched(result).map(eni -> shown(eni, true, false)));
  }

  /**
   * Adds addresses or /28 blocks to an interface: as many, or one when EC2 has not as many.
   *
   * @param singles 0 with prefixes
   * @return what was added
   */
  public CompletionStage<CallResult<AttachedInterface>> assign(
      String id, int singles, int prefixes) {
    Optional<AwsEni> eni = find(id);
    if (eni.isEmpty()) {
      return unknown(id);
    }
    CallContext context = context(Priority.Rank.BELOW_WATERMARK);
    return creation
        .pool(eni.get().pool(), context)
        .thenCompose(
            result ->
                result.then(pool -> assign(eni.get(), rungs(pool, singles, prefixes), context)));
  }

  private CompletionStage<CallResult<AttachedInterface>> assign(
      AwsEni eni, List<Rung<AwsSubnet>> rungs, CallContext context) {
    return new AddressAssignment<>(
            account.state, (Rung<AwsSubnet> rung) -> account.ec2.assign(eni.id(), rung, context))
        .run(place.instance(), eni, rungs, context)
        .thenApply(
            outcome ->
                InstanceCreation.result(
                    outcome,
                    allocated ->
                        allocated.added().stream()
                            .findFirst()
                            .orElseThrow(
                                () -> new IllegalStateException("nothing added by " + outcome))));
  }

  /** As many as wanted, then one. */
  static List<Rung<AwsSubnet>> rungs(Pool<AwsSubnet> pool, int singles, int prefixes) {
    boolean blocks = prefixes > 0;
    int wanted = blocks ? prefixes : singles;
    Rung<AwsSubnet> one = new Rung<>(pool, blocks ? 1 : 0, blocks ? 0 : 1, "one");
    return wanted > 1 ? List.of(new Rung<>(pool, prefixes, singles, "all"), one) : List.of(one);
  }

  /** Adds a /80 block; what was added. */
  public CompletionStage<CallResult<List<Cidr>>> assignIpv6Prefix(String id) {
    Optional<AwsEni> eni = find(id);
    return eni.isEmpty()
        ? unknown(id)
        : account
            .ec2
            .assignIpv6Prefixes(eni.get().id(), 1, context(Priority.Rank.BELOW_WATERMARK))
            .thenApply(
                result -> {
                  result.answer().ifPresent(got -> edited(eni.get(), each -> each.plusIpv6(got)));
                  if (isLost(result)) {
                    account.inventory.wrote(place.instance(), false, new Change.Unclear<>());
                  }
                  return result;
                });
  }

  /**
   * Takes addresses or /28 blocks away. A request whose answer is lost is not repeated, because it
   * may still arrive and take what EC2 has given again; that is a failure of kind LOST.
   *
   * @param singles empty with prefixes
   */
  public CompletionStage<CallResult<InterfaceId>> unassign(
      String id, AddressSet singles, List<Cidr> prefixes) {
    return account
        .ec2
        .unassignOnce(new InterfaceId(id), singles, prefixes, context(Priority.Rank.RELEASE))
        .thenApply(
            result -> noted(result, new Change.Removed<>(new InterfaceId(id), singles, prefixes)));
  }

  /**
   * Detaches an interface and deletes it. When the answer is lost, or it is detached and not
   * deleted, that is a failure of kind LOST.
   */
  public CompletionStage<CallResult<InterfaceId>> remove(String id) {
    Optional<AwsEni> eni = find(id).filter(found -> !found.onCard0() || found.index() > 0);
    if (eni.isEmpty()) {
      return unknown(id);
    }
    // The next interface of this situation is another one: its token must not mean this one.
    account.creations.used(place.instance());
    return account
        .ec2
        .detach(eni.get().id(), eni.get().place().attachmentId(), context(Priority.Rank.RELEASE))
        .thenCompose(
            result ->
                result.match(
                    detached -> delete(eni.get()),
                    failure ->
                        Ec2Condition.ATTACHMENT_GONE.is(failure)
                            ? delete(eni.get())
                            : done(noted(result, EniAccount.detached(eni.get().id())))))
        .thenApply(this::watched);
  }

  private CompletionStage<CallResult<InterfaceId>> delete(AwsEni eni) {
    account.inventory.wrote(place.instance(), true, EniAccount.detached(eni.id()));
    return new InterfaceDeletion(account, eni.id())
        .delete(() -> context(Priority.Rank.RELEASE))
        .thenApply(
            result ->
                result.match(
                    CallResult.Answered::new,
                    failure ->
                        Ec2Condition.ENI_GONE.is(failure)
                            ? new CallResult.Answered<>(eni.id())
                            : new CallResult.Failed<>(
                                Failure.of(
                                    Failure.Kind.LOST, failure.condition(), failure.detail()))));
  }

  private void edited(AwsEni eni, UnaryOperator<AwsEni> how) {
    account.inventory.wrote(place.instance(), true, new Change.Edited<>(eni.id(), how));
  }

  /** A creation or removal that failed may have left an interface unattached. */
  private <T> CallResult<T> watched(CallResult<T> result) {
    if (result.refusal().isPresent()) {
      leftovers.suspect();
    }
    return result;
  }

  /**
   * An address that a request took away is not shown any more, unless the request was refused: when
   * its answer was lost only a read that cannot lag behind shows it again.
   */
  private <T> CallResult<T> noted(CallResult<T> result, Change<AwsEni> change) {
    boolean done = result.answer().isPresent();
    if (done || isLost(result)) {
      account.inventory.wrote(place.instance(), done, change);
    }
    return result;
  }

  private static boolean isLost(CallResult<?> result) {
    return result.refusal().filter(each -> each.kind() == Failure.Kind.LOST).isPresent();
  }

  private <T> CompletionStage<CallResult<T>> unknown(String id) {
    return CallResult.failed(
        Ec2Condition.ENI_GONE.failure(
            id + " is not an interface of " + place.instance() + " that can be changed"));
  }

  private CallContext context(Priority.Rank rank) {
    return CallContext.within(
        Ec2CallLimits.CALL_TIMEOUT, account.scheduler.time(), "", rank, account.state.shutdown());
  }
}
