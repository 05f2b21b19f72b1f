package io.tidemark.datastore.legacy;

import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.RecoveryRules;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.StoreRefusal;
import io.tidemark.datastore.StoreReleaseOutcome;
import io.tidemark.datastore.checkpoint.Checkpointer;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.datastore.checkpoint.MigrationPhase;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TimeSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/**
 * The facade of the AWS VPC CNI 1.7 on a {@link DataStore} (eni-datastore 1-6): one network card,
 * secondary IPv4 addresses, which cool for 30 seconds. Thread-safe; never blocks.
 */
public final class LegacyDataStore {
  private final V123DataStore store;

  /**
   * A store that serves sandboxes once {@link #readBackingStore()} has ended.
   *
   * @param effects where the backing store is read and written
   * @param phase of version 1.7: {@link MigrationPhase#RUNTIME_THEN_FILE}
   * @param sandboxes asked in the phases that do not read the backing store
   */
  public LegacyDataStore(
      TimeSource time,
      EffectRunner effects,
      Checkpointer backingStore,
      MigrationPhase phase,
      SandboxSource sandboxes) {
    this.store =
        new V123DataStore(
            time,
            effects,
            backingStore,
            CidrKind.SECONDARY,
            CooldownRule.UPSTREAM,
            phase,
            sandboxes);
  }

  /** Takes up what was assigned; to be called once all interfaces and addresses are added. */
  public CompletionStage<Optional<StoreRefusal>> readBackingStore() {
    return store.read(RecoveryRules.of(IpFamily.IPV4));
  }

  // ---- interfaces

  /** Adds an interface. */
  public Optional<StoreRefusal> addEni(
      String eniId, int deviceNumber, boolean isPrimary, boolean isTrunk) {
    int table = StoreEniSpec.routeTable(0, deviceNumber);
    return store.addEni(
        new StoreEniSpec(eniId, deviceNumber, isPrimary, isTrunk, false, table, ""));
  }

  /** How many interfaces there are. */
  public int getEnis() {
    return store.getEnis();
  }

  /** The interfaces and their addresses. */
  public EniInfos getEniInfos() {
    return store.getEniInfos();
  }

  /** The interface that is a trunk; the empty text when none is. */
  public String getTrunkEni() {
    return store.getTrunkEni();
  }

  /** An interface with fewer addresses than {@code maxIpPerEni}; empty when there is none. */
  public Optional<Eni> getEniNeedsIp(int maxIpPerEni, boolean skipPrimary) {
    return getEniInfos().enis().values().stream()
        .filter(eni -> !(skipPrimary && eni.isPrimary()))
        .filter(eni -> eni.ipv4Addresses().size() < maxIpPerEni)
        .findFirst();
  }

  /** Removes an interface; {@code force} also while pods use its addresses. */
  public Optional<StoreRefusal> removeEniFromDataStore(String eniId, boolean force) {
    return store.removeEniFromDataStore(eniId, force);
  }

  /**
   * Removes an interface that is not needed, whose deletion is up to the caller; its id, or the
   * empty text when all are needed.
   *
   * @param warmIpTarget unassigned addresses that must be left; 0 for no such target
   * @param minimumIpTarget addresses that must be left; 0 for no such target
   */
  public String removeUnusedEniFromStore(int warmIpTarget, int minimumIpTarget) {
    return store.removeUnusedEniFromStore(
        OptionalInt.of(warmIpTarget), OptionalInt.of(minimumIpTarget), 0);
  }

  // ---- addresses

  /** Adds a secondary address to an interface. */
  public Optional<StoreRefusal> addIpv4AddressToStore(String eniId, String ipv4) {
    return store.addIpv4CidrToStore(eniId, single(ipv4), false);
  }

  /** Removes a secondary address; {@code force} also while a pod uses it. */
  public Optional<StoreRefusal> delIpv4AddressFromStore(String eniId, String ipv4, boolean force) {
    return store.delIpv4CidrFromStore(eniId, single(ipv4), force);
  }

  private static Cidr single(String ipv4) {
    return Cidr.single(IpAddress.parse(ipv4));
  }

  /** The addresses of an interface, assigned or not; empty for one that is not here. */
  public Optional<List<String>> getEniIps(String eniId) {
    return Optional.ofNullable(getEniInfos().enis().get(eniId))
        .map(eni -> List.copyOf(eni.ipv4Addresses().keySet()));
  }

  /** The addresses of an interface that no sandbox has; none for one that is not here. */
  public List<String> freeableIps(String eniId) {
    return store.freeableIps(eniId);
  }

  /** How many addresses there are, and how many of them sandboxes have. */
  public Stats getStats() {
    EniInfos infos = getEniInfos();
    return new Stats(infos.totalIps(), infos.assignedIps());
  }

  /** How many addresses there are, and how many of them sandboxes have. */
  public record Stats(int total, int assigned) {}

  // ---- sandboxes

  /** The addresses that sandboxes have. */
  public List<PodIpInfo> allocatedIps() {
    return store.allocatedIps();
  }

  /** Gives a sandbox an address, or the one that it has. */
  public CompletionStage<AssignOutcome> assignPodIpv4Address(IpamKey ipamKey) {
    return store.assignPodIpv4Address(ipamKey, IpamMetadata.NONE);
  }

  /** Takes from a sandbox what it has. */
  public CompletionStage<StoreReleaseOutcome> unassignPodIpv4Address(IpamKey ipamKey) {
    return store.unassignPodIpAddress(ipamKey);
  }
}
