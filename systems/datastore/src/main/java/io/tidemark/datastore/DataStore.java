package io.tidemark.datastore;

import io.tidemark.datastore.AddressSlot.Use;
import io.tidemark.datastore.StoreRecovery.FileLog;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointData.Released;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.Checkpointer;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The network interfaces of one network card of a node, their addresses, and which sandbox has
 * which. A sandbox gets its address, or loses it, when that is durable.
 *
 * <p>Thread-safe; never blocks. One lock guards the memory, held for computations alone; no write
 * and no stage's end happens under it. A write that hangs holds up the requests that it is for, and
 * nothing else; a repeated request joins the one under way.
 */
public final class DataStore {
  private final TimeSource time;
  private final StorePool pool;
  private final StoreState state;
  private final StoreChanges changes;
  private final StoreEnis enis;
  private final SandboxAddresses sandboxes;
  private final CloudReturns returns;
  private final StoreRecovery recovery;

  private DataStore(TimeSource time, CidrKind mode, CooldownRule cooldown, @Nullable FileLog file) {
    this.time = time;
    this.pool = new StorePool(mode, cooldown);
    this.state = new StoreState(pool);
    this.changes = file == null ? StoreChanges.inMemory() : StoreChanges.closed();
    this.enis = new StoreEnis(state, changes, time);
    this.sandboxes = new SandboxAddresses(state, changes, time);
    this.returns = new CloudReturns(state, changes, time);
    this.recovery = new StoreRecovery(state, changes, time, cooldown, file);
  }

  /**
   * A store that is lost with the program.
   *
   * @param mode what IPv4 addresses are assigned from
   */
  public static DataStore inMemory(TimeSource time, CidrKind mode, CooldownRule cooldown) {
    return new DataStore(time, mode, cooldown, null);
  }

  /**
   * A store that is kept in a file. It serves sandboxes, and writes, once it has been recovered.
   *
   * @param mode what IPv4 addresses are assigned from
   * @param effects where writes run, one at a time
   * @param bootId of the machine; empty when unknown
   */
  public static DataStore durable(
      TimeSource time,
      CidrKind mode,
      CooldownRule cooldown,
      EffectRunner effects,
      Checkpointer file,
      String bootId) {
    return new DataStore(time, mode, cooldown, new FileLog(effects, file, bootId));
  }

  // ---- interfaces and what they have

  /** Adds an interface without addresses. Its age counts from now. */
  public Optional<StoreRefusal> addEni(StoreEniSpec spec) {
    return enis.addEni(spec);
  }

  /**
   * Adds a secondary address or prefix of an interface. A sandbox whose address it has back has it
   * again.
   *
   * @throws IllegalArgumentException for a secondary address that is none
   */
  public Optional<StoreRefusal> addCidr(String eniId, Cidr cidr, CidrKind kind) {
    return enis.addCidr(eniId, cidr, kind);
  }

  /** Removes a secondary address or prefix of an interface, which may be cooling. */
  public Optional<StoreRefusal> removeCidr(String eniId, Cidr cidr, Removal removal) {
    return enis.removeCidr(eniId, cidr, removal);
  }

  /** Removes an interface with all that it has. */
  public Optional<StoreRefusal> removeEni(String eniId, Removal removal) {
    return enis.removeEni(eniId, removal);
  }

  /** Whether sandboxes get no more addresses of this interface; those that have one keep it. */
  public Optional<StoreRefusal> exclude(String eniId, boolean excluded) {
    return enis.exclude(eniId, excluded);
  }

  // ---- what the cloud gets back

  /**
   * Prepares the removal of an interface; without parts when it is in use, is cooling, or is of a
   * kind that is never removed.
   */
  public ReturnTicket reserveEni(String eniId) {
    return returns.reserveEni(eniId);
  }

  /**
   * Prepares the return of unused addresses or prefixes of interfaces that are not excluded, first
   * those of the interfaces with the fewest pods.
   *
   * @param max how many of them at most
   */
  public ReturnTicket reserveForReturn(IpFamily family, CidrKind kind, int max) {
    return returns.reserveForReturn(family, kind, max);
  }

  /** Prepares the return of all unused addresses and prefixes of excluded interfaces. */
  public ReturnTicket reserveExcluded() {
    return returns.reserveExcluded();
  }

  /**
   * Whether the node can get more addresses, which it can at first; if not, one may be assigned
   * before its cooldown is over.
   */
  public void growable(boolean now) {
    synchronized (state) {
      state.growable = now;
    }
  }

  // ---- addresses of sandboxes

  /**
   * Gives a sandbox an address, or the one of the family that it has. Ends when that is durable.
   *
   * @param metadata noted with a new assignment
   */
  public CompletionStage<AssignOutcome> assign(
      IpamKey key, IpamMetadata metadata, IpFamily family) {
    return sandboxes.assign(key, metadata, family);
  }

  /**
   * The address of a sandbox by the file when the node is not seen to have the address: on the
   * interface that had it, or on the only one. Empty when that is not known, or another sandbox has
   * it. For as long as it cannot be found out what the node has.
   */
  public Optional<Assignment> orphaned(IpamKey key, IpFamily family) {
    synchronized (state) {
      return state.orphans.stream()
          .filter(each -> each.entry().key().isOf(key))
          .filter(each -> each.address().filter(it -> it.family() == family).isPresent())
          .flatMap(each -> state.place(each).stream())
          .findFirst();
    }
  }

  /** Whether a sandbox has an address of a family, or is about to get or lose one. */
  public boolean hasAddress(IpamKey key, IpFamily family) {
    synchronized (state) {
      return pool.ofKey(key, family) != null || pool.ofKey(key.asMigrated(), family) != null;
    }
  }

  /**
   * Takes from a sandbox all addresses that it has. Ends when that is durable. A sandbox whose
   * entry came from the container runtime is known by its container.
   */
  public CompletionStage<StoreReleaseOutcome> release(IpamKey key) {
    return sandboxes.release(key);
  }

  // ---- the file

  /**
   * Takes up what a checkpoint says. To be called once all interfaces have been added with what
   * they have; what comes later takes up its assignments then. A second call answers as the first
   * one.
   *
   * @return ends when the file was written anew, or could not be
   */
  public CompletionStage<RecoveryOutcome> recover(CheckpointData data, RecoveryRules rules) {
    return recovery.recover(data, rules);
  }

  /**
   * The cloud confirms that the node does not have these addresses. Orphans with one of them are
   * forgotten, if they have been orphans for {@link RecoveryRules#grace}; how many.
   */
  public int confirmDetached(Collection<IpAddress> addresses) {
    return recovery.confirmDetached(addresses);
  }

  // ---- what it shows

  /** Whether something of a block is here, or a sandbox has it by the file, or it cools. */
  public boolean holds(Cidr cidr) {
    synchronized (state) {
      return pool.holds(cidr, time.nanos())
          || state.orphans.stream()
              .anyMatch(each -> each.address().filter(cidr::contains).isPresent());
    }
  }

  /** The interfaces and addresses now. */
  public PoolView view() {
    synchronized (state) {
      return pool.view(time.nanos());
    }
  }

  /**
   * The addresses, and the pods that lack one, at one instant.
   *
   * @param unrecorded addresses that cool since the start without a record of a release; 0 when
   *     their time is over
   * @param waiting pods that found no address in the last minute, and have none; at most 256
   */
  public record Observation(PoolView view, int unrecorded, int waiting) {}

  /** The interfaces and addresses now, and the pods that lack one. */
  public Observation observe() {
    synchronized (state) {
      long now = time.nanos();
      int unrecorded = now - state.unrecordedUntil < 0 ? state.unrecorded : 0;
      return new Observation(pool.view(now), unrecorded, state.waiting(now));
    }
  }

  /** The assignments that are durable, in the order of their addresses. */
  public List<Assigned> assigned() {
    List<Assigned> all = new ArrayList<>();
    synchronized (state) {
      pool.forEachAssigned(
          slot -> {
            if (slot.use != Use.ASSIGNING) {
              all.add(new Assigned(slot.entry(), slot.assignment()));
            }
          });
    }
    return all;
  }

  /**
   * An assignment.
   *
   * @param entry as the file has it
   */
  public record Assigned(CheckpointEntry entry, Assignment assignment) {}

  /** Assignments whose addresses the node does not have. */
  public List<Orphan> orphans() {
    synchronized (state) {
      return List.copyOf(state.orphans);
    }
  }

  /** The content at one instant. */
  public StoreSnapshot snapshot() {
    synchronized (state) {
      long now = time.nanos();
      long epochNanos = time.epochMillis() * 1_000_000;
      PoolView view = pool.view(now);
      List<Released> cooling = new ArrayList<>();
      pool.forEachCooling((ip, at) -> cooling.add(new Released(ip, epochNanos - (now - at))));
      return new StoreSnapshot(view, assigned(), cooling);
    }
  }

  /** Measures what it does, and shows its numbers, as those of a network card from now on. */
  public void measure(int card, Meters meters) {
    StoreMeters own = new StoreMeters(meters, card);
    own.show(this::view, this::orphans, this::counters);
    state.meters = own;
  }

  /** The counters since it was made. */
  public StoreCounters counters() {
    synchronized (state) {
      return state.counters();
    }
  }

  /** Why sandboxes neither get addresses nor lose them; empty when they do. */
  public Optional<String> unhealthy() {
    return changes.unhealthy();
  }
}
