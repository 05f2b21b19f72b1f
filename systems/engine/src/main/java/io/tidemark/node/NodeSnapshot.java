package io.tidemark.node;

import io.tidemark.demand.DemandWatermarks;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.node.NodeStatistics.PodCapacity;
import io.tidemark.node.ResourceFacts.AgentKind;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.node.exhaustion.AddressSupply;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Everything one decision about a node depends on, provider's plans apart. Immutable.
 *
 * @param facts the resource as last seen
 * @param inventory the cloud as cached
 * @param watermarks effective targets
 * @param demand what they follow; empty where they are static
 * @param pendingPods pods that wait; empty when not known
 * @param maxPods pods that its kubelet takes; empty when not known
 * @param closed whether it keeps no spare addresses, because no new pods come
 * @param drain what leaves with draining interfaces
 * @param statistics computed from the others
 */
record NodeSnapshot(
    EngineConfig config,
    ResourceFacts facts,
    Inventory.Known inventory,
    Watermarks watermarks,
    Optional<DemandWatermarks> demand,
    boolean prefixDelegated,
    OptionalInt pendingPods,
    OptionalInt maxPods,
    boolean closed,
    Drain drain,
    NodeStatistics statistics) {

  static NodeSnapshot of(
      EngineConfig config,
      ResourceFacts facts,
      Inventory.Known inventory,
      OptionalInt instanceCeiling,
      Optional<DemandWatermarks> expected,
      boolean prefixDelegated,
      OptionalInt pendingPods,
      OptionalInt maxPods,
      boolean takesNoPods) {
    int available = available(inventory);
    int used = facts.usedCount();
    boolean closed =
        takesNoPods
            && pendingPods.isPresent()
            && !facts.multiPool()
            && !config.isReferenceCompatible();
    Optional<DemandWatermarks> demand = closed ? Optional.empty() : expected;
    Watermarks own = Watermarks.of(facts.spec(), instanceCeiling);
    Watermarks watermarks = demand.map(own::following).orElse(own);
    Drain drain =
        config.release().enabled()
                && facts.kind() == AgentKind.SINGLE_ADDRESSES
                && !config.isReferenceCompatible()
            ? Drain.of(inventory.interfaces(), watermarks, available, used, facts.used(), closed)
            : Drain.NONE;
    int kept = available - drain.idle(); // what stays, and what pods hold
    int excess =
        facts.kind() == AgentKind.UNCERTAIN
            ? 0
            : excess(config, watermarks, facts, inventory, kept, used);
    if (drain.inUse() > 0) { // the others must do when those pods end
      int others = kept - drain.inUse();
      int theirs = excess(config, watermarks, facts, inventory, others, used - drain.inUse());
      excess = Math.min(excess, theirs);
    }
    var room = inventory.statistics();
    NodeStatistics statistics =
        new NodeStatistics(
            available,
            used,
            room.capacityIpv4(),
            closed
                ? watermarks.neededWhenClosed(available, used, pendingPods.getAsInt())
                : watermarks.needed(available, used),
            drain.leaving() + excess,
            room.interfaces(),
            room.interfacesWithRoom(),
            room.emptySlots());
    return new NodeSnapshot(
        config,
        facts,
        inventory,
        watermarks,
        demand,
        prefixDelegated,
        pendingPods,
        maxPods,
        closed,
        drain,
        statistics);
  }

  /** Addresses that are attached. */
  static int available(Inventory.Known inventory) {
    int available = 0;
    for (AttachedInterface each : inventory.interfaces()) {
      available += each.size();
    }
    return available;
  }

  /** Addresses that the object lacks although they are attached; no agent can use them yet. */
  int unwritten() {
    int listed = facts.poolSize();
    int used = statistics.used();
    int lacking =
        closed
            ? watermarks.neededWhenClosed(listed, used, pendingPods.orElse(0))
            : watermarks.needed(listed, used);
    return Math.max(0, lacking - statistics.needed());
  }

  /**
   * The addresses that a pass requests (2.4), in place of those that leave too; nothing above the
   * need where no new pods come. Pods that wait alone ask for nothing.
   */
  int wanted() {
    int needed = statistics.needed() + drain.replacing();
    int pending = statistics.needed() == 0 ? 0 : pendingPods.orElse(0);
    int staying = statistics.available() - drain.replacing();
    return needed == 0 || closed
        ? needed
        : watermarks.wanted(staying, statistics.used(), needed, pending);
  }

  private static int excess(
      EngineConfig config,
      Watermarks watermarks,
      ResourceFacts facts,
      Inventory.Known inventory,
      int available,
      int used) {
    if (config.isReferenceCompatible()) {
      int counted = facts.multiPool() ? used : usedWithBlocks(inventory, facts.used());
      return watermarks.excess(available, counted);
    }
    if (!config.release().hysteresis()) {
      return watermarks.excess(available, used);
    }
    int excess = watermarks.excessWithHysteresis(available, used);
    return excess >= config.release().minBatch() ? excess : 0;
  }

  /** Spare addresses up to which a request asks; empty where they are static. */
  OptionalLong spareTarget() {
    return demand.isPresent() ? OptionalLong.of(watermarks.target()) : OptionalLong.empty();
  }

  /** Whether something is to be asked for (node-manager 3.5). */
  boolean needsAllocation() {
    return statistics.needed() > 0
        || drain.replacing() > 0
        || facts.ipv6PrefixesNeeded(inventory.statistics().ipv6Prefixes()) > 0
        || (facts.staticAddressNeeded() && inventory.statistics().staticAddress().isEmpty());
  }

  /**
   * How urgently the node wants a token (docs/architecture.md). Pods that wait on a node which had
   * addresses and has none free come first; otherwise the share of its target that it lacks
   * decides.
   */
  Priority priority(boolean hadAddresses) {
    if (statistics.needed() == 0 && drain.replacing() > 0) {
      return Priority.of(Priority.Rank.RELEASE); // what is there serves the pods
    }
    int pending = pendingPods.orElse(0);
    int free = statistics.available() - statistics.used();
    double target = Math.max(1.0, (double) statistics.available() + statistics.needed());
    double deficit = (statistics.needed() + Math.max(0.0, pending)) / target;
    boolean podsWait = hadAddresses && pending > 0 && free <= 0;
    return new Priority(
        podsWait ? Priority.Rank.PODS_WAITING : Priority.Rank.BELOW_WATERMARK, deficit);
  }

  /** Pods it can give addresses to; a ceiling of the resource counts as well as the instance's. */
  PodCapacity podCapacity() {
    int capacity = statistics.capacity();
    return new PodCapacity(Math.min(capacity, watermarks.ceiling().orElse(capacity)), maxPods);
  }

  /**
   * The addresses for the next pods: those that are attached and that the object lists.
   *
   * @param blocked why the node cannot go on
   * @param refused whether the cloud refused the node's last request for lack of room
   */
  AddressSupply supply(Optional<Blocked> blocked, boolean refused) {
    int held = Math.min(statistics.available(), facts.poolSize());
    boolean full = watermarks.room(statistics.available()).orElse(1) == 0;
    boolean ownLimit = full && facts.spec().maxAllocate() > 0;
    Optional<Blocked> limit =
        full
            ? Optional.of(
                new Blocked(
                    ownLimit ? BlockedReason.MAX_ALLOCATE : BlockedReason.ADDRESS_LIMIT,
                    held + " addresses are all that the node can have"))
            : Optional.empty();
    Optional<Blocked> obstacle =
        blocked.filter(why -> AddressSupply.isObstacle(why.reason(), refused)).or(() -> limit);
    boolean said =
        refused && obstacle.filter(it -> AddressSupply.followsRefusal(it.reason())).isPresent();
    return new AddressSupply(
        held - statistics.used(),
        held,
        Math.max(1, Math.min(watermarks.reserve(), statistics.capacity())),
        obstacle,
        said || ownLimit);
  }

  /** The attached CIDRs: blocks, and singles as hosts; never an address twice (NM-C7). */
  Set<Cidr> attachedCidrs() {
    Set<Cidr> cidrs = new TreeSet<>();
    for (AttachedInterface each : inventory.interfaces()) {
      cidrs.addAll(each.blocks());
      each.singles().forEach(address -> cidrs.add(Cidr.of(address, address.family().bits())));
    }
    return cidrs;
  }

  /**
   * The reference's count of used addresses with blocks (node-manager 2.5): a block that holds one
   * counts whole, an address of an unknown interface does not count.
   */
  static int usedWithBlocks(Inventory.Known inventory, AddressSet used) {
    long count = 0;
    for (AttachedInterface each : inventory.interfaces()) {
      for (Cidr block : each.blocks()) {
        if (used.containsAny(block)) {
          count += block.sizeSaturated();
        }
      }
      count += each.singles().intersect(used).size();
    }
    return (int) Math.min(Integer.MAX_VALUE, count);
  }
}
