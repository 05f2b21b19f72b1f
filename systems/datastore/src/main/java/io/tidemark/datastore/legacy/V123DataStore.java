package io.tidemark.datastore.legacy;

import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CloudPart;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.DatastoreError;
import io.tidemark.datastore.DatastoreStats;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.RecoveryOutcome;
import io.tidemark.datastore.RecoveryRules;
import io.tidemark.datastore.Removal;
import io.tidemark.datastore.ReturnTicket;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.StoreRefusal;
import io.tidemark.datastore.StoreReleaseOutcome;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.checkpoint.Checkpointer;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.datastore.checkpoint.MigrationPhase;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.Profile;
import io.tidemark.datastore.plan.RemovalRules;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The facade of the AWS VPC CNI 1.23 on a {@link DataStore} (eni-datastore 1-6): one network card,
 * secondary addresses and prefixes of both families. Thread-safe; never blocks.
 */
public final class V123DataStore {
  /** Its rules look at the targets alone. */
  private static final PoolLimits ANY = PoolLimits.of(1, 1);

  private final DataStore store;
  private final EffectRunner effects;
  private final Checkpointer file;
  private final MigrationPhase phase;
  private final SandboxSource sandboxes;

  V123DataStore(
      TimeSource time,
      EffectRunner effects,
      Checkpointer file,
      CidrKind mode,
      CooldownRule cooldown,
      MigrationPhase phase,
      SandboxSource sandboxes) {
    this.store = DataStore.durable(time, mode, cooldown, effects, file, "");
    this.effects = effects;
    this.file = file;
    this.phase = phase;
    this.sandboxes = sandboxes;
  }

  /**
   * A store that serves sandboxes once {@link #readBackingStore} has ended.
   *
   * @param effects where the backing store is read and written
   * @param isPdEnabled whether IPv4 addresses are assigned from prefixes
   * @param ipCooldownPeriod the variable {@code IP_COOLDOWN_PERIOD}; empty when it is not set
   * @throws IllegalArgumentException for a negative period
   */
  public V123DataStore(
      TimeSource time,
      EffectRunner effects,
      Checkpointer backingStore,
      boolean isPdEnabled,
      String ipCooldownPeriod) {
    this(
        time,
        effects,
        backingStore,
        isPdEnabled ? CidrKind.PREFIX : CidrKind.SECONDARY,
        CooldownRule.parseUpstream(ipCooldownPeriod),
        MigrationPhase.FILE,
        SandboxSource.NONE);
  }

  /** Takes up what was assigned; to be called once all interfaces have been added in full. */
  public CompletionStage<Optional<StoreRefusal>> readBackingStore(boolean isV6Enabled) {
    return read(RecoveryRules.of(isV6Enabled ? IpFamily.IPV6 : IpFamily.IPV4));
  }

  /** Ends with why the store serves nothing, or empty; never exceptionally. */
  CompletionStage<Optional<StoreRefusal>> read(RecoveryRules rules) {
    return effects
        .run(new EffectSite("datastore read", ""), TaskScheduler.CENTURY, this::read)
        .stage()
        .handle(
            (read, thrown) ->
                read == null
                    ? refused(
                        new StoreRefusal(
                            DatastoreError.CHECKPOINT_FAILED,
                            "failed ipam state recovery from backing store",
                            file.name() + " cannot be read: " + thrown))
                    : recovered(read, rules))
        .thenCompose(end -> end);
  }

  private Read read() throws Exception {
    return phase.readsFile()
        ? file.restore()
        : new Read.Current(MigrationPhase.checkpoint(sandboxes.ready()));
  }

  private CompletionStage<Optional<StoreRefusal>> recovered(Read read, RecoveryRules rules) {
    return read instanceof Read.Refused refusal
        ? refused(StoreRefusal.unreadable(refusal))
        : store
            .recover(read.data(), rules.withPhase(phase))
            .thenApply(
                outcome ->
                    outcome instanceof RecoveryOutcome.Failed failed
                        ? Optional.of(failed.refusal())
                        : Optional.empty());
  }

  private static CompletionStage<Optional<StoreRefusal>> refused(StoreRefusal why) {
    return CompletableFuture.completedStage(Optional.of(why));
  }

  // ---- interfaces

  /** Adds an interface. */
  public Optional<StoreRefusal> addEni(StoreEniSpec eni) {
    return store.addEni(eni);
  }

  /** How many interfaces there are. */
  public int getEnis() {
    return store.view().enis().size();
  }

  /** The interfaces and their secondary addresses. */
  public EniInfos getEniInfos() {
    return EniInfos.of(store.view(), store.assigned());
  }

  /** The interface that is a trunk; the empty text when none is. */
  public String getTrunkEni() {
    return ids(StoreEniSpec::trunk).findFirst().orElse("");
  }

  /** The interfaces that are Elastic Fabric Adapters. */
  public Set<String> getEfaEnis() {
    Set<String> all = new TreeSet<>();
    ids(StoreEniSpec::efa).forEach(all::add);
    return all;
  }

  private Stream<String> ids(Predicate<StoreEniSpec> which) {
    return store.view().enis().stream().map(EniView::spec).filter(which).map(StoreEniSpec::id);
  }

  private Optional<EniView> eni(String eniId) {
    return store.view().enis().stream().filter(it -> it.spec().id().equals(eniId)).findFirst();
  }

  /** The interfaces that can get addresses or prefixes: those with fewer than {@code maxPerEni}. */
  public List<StoreEniSpec> getAllocatableEnis(int maxPerEni, boolean skipPrimary) {
    return store.view().enis().stream()
        .filter(eni -> !eni.spec().trunk() && !eni.excluded())
        .filter(eni -> !(skipPrimary && eni.spec().primary()))
        .filter(eni -> eni.cidrs().size() < maxPerEni)
        .map(EniView::spec)
        .toList();
  }

  /** Whether sandboxes get addresses of this interface. */
  public Optional<StoreRefusal> setEniExcludedForPodIps(String eniId, boolean excluded) {
    return store.exclude(eniId, excluded);
  }

  /** Whether sandboxes get no addresses of this interface; false for one that is not here. */
  public boolean isEniExcludedForPodIps(String eniId) {
    return eni(eniId).filter(EniView::excluded).isPresent();
  }

  /** Removes an interface; {@code force} also while pods use its addresses. */
  public Optional<StoreRefusal> removeEniFromDataStore(String eniId, boolean force) {
    return store.removeEni(eniId, removal(force));
  }

  private static Removal removal(boolean force) {
    return force ? Removal.FORCED : Removal.UNUSED_ONLY;
  }

  /**
   * Removes an interface that is not needed, whose deletion is up to the caller; its id, or the
   * empty text when all are needed.
   */
  public String removeUnusedEniFromStore(
      OptionalInt warmIpTarget, OptionalInt minimumIpTarget, int warmPrefixTarget) {
    WarmTargets targets = new WarmTargets(warmIpTarget, minimumIpTarget, warmPrefixTarget, 0);
    Optional<EniView> unused = RemovalRules.candidate(store.view(), targets, ANY, Profile.UPSTREAM);
    Optional<ReturnTicket> ticket = unused.map(eni -> store.reserveEni(eni.spec().id()));
    ticket.ifPresent(it -> it.commit(it.parts()));
    return ticket.stream()
        .flatMap(it -> it.parts().stream())
        .map(CloudPart::eniId)
        .findFirst()
        .orElse("");
  }

  /** Whether there is an interface that could be deleted if it is old enough. */
  public boolean checkFreeableEniExists() {
    return store.view().enis().stream()
        .filter(eni -> !eni.spec().primary() && !eni.spec().trunk() && !eni.spec().efa())
        .anyMatch(eni -> eni.inUse() == 0);
  }

  // ---- addresses and prefixes

  /** Adds a secondary address or prefix to an interface. */
  public Optional<StoreRefusal> addIpv4CidrToStore(String eniId, Cidr cidr, boolean isPrefix) {
    return add(eniId, of(IpFamily.IPV4, cidr), isPrefix);
  }

  /** Adds a secondary address or prefix to an interface. */
  public Optional<StoreRefusal> addIpv6CidrToStore(String eniId, Cidr cidr, boolean isPrefix) {
    return add(eniId, of(IpFamily.IPV6, cidr), isPrefix);
  }

  private Optional<StoreRefusal> add(String eniId, Cidr cidr, boolean isPrefix) {
    return store.addCidr(eniId, cidr, isPrefix ? CidrKind.PREFIX : CidrKind.SECONDARY);
  }

  private static Cidr of(IpFamily family, Cidr cidr) {
    if (cidr.family() != family) {
      throw new IllegalArgumentException(cidr + " is not " + family);
    }
    return cidr;
  }

  /** Removes a secondary address or prefix; {@code force} also while pods use it. */
  public Optional<StoreRefusal> delIpv4CidrFromStore(String eniId, Cidr cidr, boolean force) {
    return store.removeCidr(eniId, of(IpFamily.IPV4, cidr), removal(force));
  }

  /** Removes a secondary address or prefix; {@code force} also while pods use it. */
  public Optional<StoreRefusal> delIpv6CidrFromStore(String eniId, Cidr cidr, boolean force) {
    return store.removeCidr(eniId, of(IpFamily.IPV6, cidr), removal(force));
  }

  /** The numbers of a family: those of interfaces that are not excluded, in the present mode. */
  public DatastoreStats getIpStats(IpFamily family) {
    return store.view().stats(family);
  }

  /** The secondary addresses of an interface that no sandbox has. */
  public List<String> freeableIps(String eniId) {
    return unused(eniId)
        .filter(each -> each.kind() == CidrKind.SECONDARY)
        .filter(each -> each.cidr().family() == IpFamily.IPV4)
        .map(each -> each.cidr().first().toString())
        .toList();
  }

  /** The prefixes of an interface of which no sandbox has an address. */
  public List<Cidr> freeablePrefixes(String eniId) {
    return unused(eniId)
        .filter(each -> each.kind() == CidrKind.PREFIX)
        .map(CidrView::cidr)
        .toList();
  }

  /** The IPv4 addresses and prefixes of an interface of which no sandbox has one. */
  public List<Cidr> findFreeableCidrs(String eniId) {
    return unused(eniId)
        .map(CidrView::cidr)
        .filter(cidr -> cidr.family() == IpFamily.IPV4)
        .toList();
  }

  private Stream<CidrView> unused(String eniId) {
    return eni(eniId).stream()
        .flatMap(eni -> eni.cidrs().stream())
        .filter(each -> each.inUse() == 0);
  }

  /** How many IPv4 prefixes of all interfaces no sandbox has an address of. */
  public int getFreePrefixes() {
    List<Cidr> all = new ArrayList<>();
    ids(spec -> true).forEach(id -> all.addAll(freeablePrefixes(id)));
    return (int) all.stream().filter(cidr -> cidr.family() == IpFamily.IPV4).count();
  }

  // ---- sandboxes

  /** The IPv4 addresses that sandboxes have. */
  public List<PodIpInfo> allocatedIps() {
    return store.assigned().stream()
        .filter(each -> each.assignment().address().family() == IpFamily.IPV4)
        .map(
            each ->
                new PodIpInfo(
                    each.entry().key(),
                    each.assignment().address().toString(),
                    each.assignment().deviceNumber()))
        .toList();
  }

  /** Gives a sandbox an IPv4 address, or the one that it has. */
  public CompletionStage<AssignOutcome> assignPodIpv4Address(
      IpamKey ipamKey, IpamMetadata metadata) {
    return store.assign(ipamKey, metadata, IpFamily.IPV4);
  }

  /** Gives a sandbox an IPv6 address, or the one that it has. */
  public CompletionStage<AssignOutcome> assignPodIpv6Address(
      IpamKey ipamKey, IpamMetadata metadata) {
    return store.assign(ipamKey, metadata, IpFamily.IPV6);
  }

  /**
   * Gives a sandbox an IPv4 address where those are enabled, or else an IPv6 address.
   *
   * @throws IllegalArgumentException when neither is enabled
   */
  public CompletionStage<AssignOutcome> assignPodIpAddress(
      IpamKey ipamKey, IpamMetadata metadata, boolean isIpv4Enabled, boolean isIpv6Enabled) {
    if (!isIpv4Enabled && !isIpv6Enabled) {
      throw new IllegalArgumentException("enable-ipv4 and enable-ipv6 are both off");
    }
    return isIpv4Enabled
        ? assignPodIpv4Address(ipamKey, metadata)
        : assignPodIpv6Address(ipamKey, metadata);
  }

  /** Takes from a sandbox what it has. */
  public CompletionStage<StoreReleaseOutcome> unassignPodIpAddress(IpamKey ipamKey) {
    return store.release(ipamKey);
  }
}
