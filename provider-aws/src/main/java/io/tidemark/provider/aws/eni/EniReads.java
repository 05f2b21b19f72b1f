package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.Instance;
import io.tidemark.provider.kit.InstanceRead;
import io.tidemark.provider.kit.InstanceSource;
import io.tidemark.provider.kit.ReadMark;
import io.tidemark.provider.kit.ReadVerdict;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Reads of instances: a listing of interfaces, what EC2 says of those it lacks, and when each
 * instance was read last.
 */
final class EniReads
    implements InstanceSource<List<AwsNetworkInterface>>, InstanceRead.Source<AwsEni> {
  /** How long ago an instance counts as read that never was. */
  private static final Duration NEVER = Duration.ofDays(1);

  private final EniAccount account;
  private final EniNodes nodes;
  private final InstanceRead<AwsEni> reads;
  private final Consumer<InstanceId> upkeep;
  private final NetworkRead networks;
  private final SelectedInstances selected;
  private final ConcurrentHashMap<InstanceId, ReadMark> lastReads = new ConcurrentHashMap<>();
  private volatile int listed;
  private volatile long plannedNanos;

  /**
   * Reads of one account.
   *
   * @param upkeep looks at an instance that was just read; does not wait
   */
  EniReads(
      EniAccount account,
      EniNodes nodes,
      Consumer<InstanceId> upkeep,
      NetworkRead networks,
      SelectedInstances selected) {
    this.account = account;
    this.nodes = nodes;
    this.reads = new InstanceRead<>(account.inventory, this);
    this.upkeep = upkeep;
    this.networks = networks;
    this.selected = selected;
    this.plannedNanos = account.scheduler.time().nanos();
  }

  /** Which instances the full read that begins now is to read. */
  SweepPlan plan() {
    long now = account.scheduler.time().nanos();
    long never = now - NEVER.toNanos();
    List<SweepPlan.Candidate> all = new ArrayList<>();
    for (InstanceId id : account.inventory.ids()) {
      int interfaces = account.inventory.find(id).map(view -> view.interfaces().size()).orElse(0);
      ReadMark last = lastReads.get(id);
      all.add(new SweepPlan.Candidate(id, interfaces, last == null ? never : last.nanos()));
    }
    Duration since = Duration.ofNanos(now - plannedNanos);
    plannedNanos = now;
    return SweepPlan.of(all, listed, since, now);
  }

  /** A listing of everything had so many interfaces. */
  void listed(int interfaces) {
    listed = interfaces;
  }

  /** The generation that every instance was read after. */
  long oldestGeneration() {
    return account.inventory.ids().stream()
        .map(lastReads::get)
        .filter(Objects::nonNull)
        .mapToLong(ReadMark::generation)
        .min()
        .orElseGet(() -> account.inventory.beginRead().generation());
  }

  void forget(InstanceId id) {
    lastReads.remove(id);
  }

  @Override
  public CompletionStage<CallResult<List<AwsNetworkInterface>>> read(
      Set<InstanceId> ids, CallContext context) {
    return account
        .ec2
        .attachedTo(ids, context)
        .thenCombine(account.limits.settled(), (result, settled) -> result);
  }

  /**
   * The outcome for each of {@code wanted}.
   *
   * @param found interfaces of these instances, others too
   */
  @Override
  public CompletionStage<Map<InstanceId, SyncOutcome>> accept(
      ReadMark mark, Set<InstanceId> wanted, List<AwsNetworkInterface> found, CallContext context) {
    Map<InstanceId, List<AwsEni>> byInstance = byInstance(found);
    byInstance.values().forEach(enis -> enis.replaceAll(account::asManaged));
    return selected
        .among(wanted, context)
        .thenCompose(
            chosen ->
                chosen.isEmpty()
                    ? EniAccount.done(InstanceRead.all(wanted, NOT_KNOWN))
                    : accept(mark, chosen.get(), wanted, byInstance, found, context));
  }

  private CompletionStage<Map<InstanceId, SyncOutcome>> accept(
      ReadMark mark,
      Set<InstanceId> chosen,
      Set<InstanceId> wanted,
      Map<InstanceId, List<AwsEni>> byInstance,
      List<AwsNetworkInterface> found,
      CallContext context) {
    byInstance.keySet().removeIf(id -> !chosen.contains(id) && !selected.contains(id));
    return known(mark, chosen, byInstance, found, context)
        .thenApply(
            outcomes -> {
              for (InstanceId id : wanted) {
                outcomes.putIfAbsent(id, new SyncOutcome.Synced(mark.generation()));
              }
              return outcomes;
            });
  }

  private CompletionStage<Map<InstanceId, SyncOutcome>> known(
      ReadMark mark,
      Set<InstanceId> wanted,
      Map<InstanceId, List<AwsEni>> byInstance,
      List<AwsNetworkInterface> found,
      CallContext context) {
    return reads
        .accept(
            mark,
            wanted,
            byInstance,
            unknown -> {
              networks.outdated(NetworkRead.Part.SUBNETS);
              return networks.refresh(vpcIds(found), context);
            },
            context)
        .thenCompose(this::withWhereabouts);
  }

  private Set<String> vpcIds(List<AwsNetworkInterface> found) {
    Set<String> ids = nodes.vpcIds();
    found.stream().map(AwsNetworkInterface::vpcId).filter(id -> !id.isEmpty()).forEach(ids::add);
    return ids;
  }

  /** Subnets that could not be found are looked for again. */
  void forgetUnseenPools() {
    reads.forgetUnseenPools();
  }

  /** Subnets serve nodes of the engine; without one nobody needs them. */
  @Override
  public boolean knows(PoolId pool) {
    return nodes.byInstance.isEmpty() || account.pools.find(pool).isPresent();
  }

  @Override
  public void shown(ReadMark mark, InstanceId id) {
    nodes.told(id, true);
    lastReads.put(id, mark);
    upkeep.accept(id);
  }

  @Override
  public CompletionStage<CallResult<Map<InstanceId, ReadVerdict.Said>>> ask(
      Set<InstanceId> ids, CallContext context) {
    return account.ec2.instances(ids, context).thenApply(result -> result.map(EniReads::said));
  }

  private static Map<InstanceId, ReadVerdict.Said> said(List<Instance> instances) {
    Map<InstanceId, ReadVerdict.Said> said = new TreeMap<>();
    for (Instance each : instances) {
      said.put(
          each.id(),
          each.state() == Instance.State.TERMINATED
              ? ReadVerdict.Said.TERMINATED
              : ReadVerdict.Said.EXISTS);
    }
    return said;
  }

  @Override
  public void asked(ReadMark mark, InstanceId id, ReadVerdict.Said said, SyncOutcome outcome) {
    if (!(outcome instanceof SyncOutcome.Failed)) {
      nodes.told(id, said != ReadVerdict.Said.NOTHING);
    }
    if (outcome instanceof SyncOutcome.Synced) {
      lastReads.put(id, mark);
    }
  }

  /** A node whose instance is elsewhere is blocked with region and account. */
  private CompletionStage<Map<InstanceId, SyncOutcome>> withWhereabouts(
      Map<InstanceId, SyncOutcome> outcomes) {
    if (outcomes.keySet().stream().noneMatch(account.named::isElsewhere)) {
      return EniAccount.done(outcomes);
    }
    return account
        .whereabouts
        .find()
        .thenApply(
            found -> {
              if (account.named.allElsewhere(nodes.byInstance.size())) {
                account.whereabouts.noneExists();
              }
              return outcomes;
            });
  }

  private static final Failure NOT_KNOWN =
      Failure.of(
          Failure.Kind.TRANSIENT,
          "selectionUnknown",
          "EC2 did not tell which instances carry instance-tags-filter");

  /** Attached interfaces by instance, ids ascending. */
  static Map<InstanceId, List<AwsEni>> byInstance(List<AwsNetworkInterface> found) {
    Map<InstanceId, List<AwsEni>> byInstance = new TreeMap<>();
    for (AwsNetworkInterface each : found) {
      each.attachment()
          .ifPresent(
              attachment ->
                  attachment
                      .instance()
                      .ifPresent(
                          id ->
                              byInstance
                                  .computeIfAbsent(id, same -> new ArrayList<>(2))
                                  .add(AwsEni.of(each, attachment))));
    }
    byInstance.values().forEach(enis -> enis.sort(Comparator.comparing(AwsEni::id)));
    return byInstance;
  }
}
