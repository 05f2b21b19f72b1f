package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.IpamSpec;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Capability;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.PlannedInstance;
import io.tidemark.spi.ReleaseAction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Chooses what a pass does (node-manager 3.7, 3.8): what takes the place of addresses that leave,
 * surplus, then deficit, then the public address. Pure over the snapshot and the provider's cached
 * plans.
 */
public final class MaintenancePlanner {
  private final NodeOperations operations;
  private final Set<Capability> capabilities;

  MaintenancePlanner(NodeOperations operations, Set<Capability> capabilities) {
    this.operations = operations;
    this.capabilities = capabilities;
  }

  /** The passes of a node of a plan of capacity, on which so many pods start at once. */
  public static PlannedInstance.Passes passes(IpamSpec spec, int pods) {
    return (prepared, available, ceiling, preAllocate) -> {
      int used = Math.min(pods, available);
      int pre = spec.preAllocate() == 0 ? preAllocate : spec.preAllocate();
      Watermarks marks = new Watermarks(pre, spec.minAllocate(), ceiling, spec.maxAboveWatermark());
      int needed = marks.needed(available, used);
      if (needed == 0) {
        return Optional.empty();
      }
      MaintenancePlan plan =
          allocation(
              prepared,
              EnumSet.allOf(Capability.class),
              marks,
              new NodeStatistics(available, used, 0, needed, 0, 0, 0, 0),
              needed,
              marks.wanted(available, used, needed, pods - used),
              0);
      return plan instanceof MaintenancePlan.Allocate fills
          ? Optional.of(fills.action())
          : plan instanceof MaintenancePlan.CreateInterface creates
              ? Optional.of(creates.action())
              : Optional.empty();
    };
  }

  /**
   * The plan for one snapshot.
   *
   * @param dropped CIDRs that a multi-pool agent dropped long enough ago (4.9 NM-C5)
   * @param spare which of those that the provider can release go, so that the floor stays
   * @param staticAddress whether a public address may be asked for
   * @param noReplacement why no addresses may be asked for in place of those that leave
   */
  MaintenancePlan plan(
      NodeSnapshot snapshot,
      Set<Cidr> dropped,
      UnaryOperator<Set<Cidr>> spare,
      boolean staticAddress,
      Optional<Blocked> noReplacement) {
    Optional<MaintenancePlan> replacement = replacement(snapshot, noReplacement);
    if (replacement.filter(MaintenancePlan::adds).isPresent()) {
      return replacement.get();
    }
    if (releasing(snapshot)) {
      if (capabilities.contains(Capability.CIDR_RELEASE)) {
        List<ReleaseAction> actions = release(dropped, spare);
        if (!actions.isEmpty()) {
          return new MaintenancePlan.ReleaseCidrs(actions);
        }
      }
      if (snapshot.statistics().excess() > 0 && !snapshot.facts().multiPool()) {
        Optional<ReleaseAction> surplus = leaving(snapshot).or(() -> surplus(snapshot));
        if (surplus.isPresent()) {
          return new MaintenancePlan.Release(surplus.get(), Optional.empty());
        }
      }
    }
    int prefixes = ipv6PrefixesNeeded(snapshot);
    int needed = snapshot.statistics().needed();
    if (needed > 0 || prefixes > 0) {
      int besides = needed > 0 ? snapshot.drain().replacing() : 0;
      int wanted = needed > 0 ? snapshot.wanted() : 0;
      return allocation(
          operations.prepareIpAllocation(),
          capabilities,
          snapshot.watermarks(),
          snapshot.statistics(),
          needed + besides,
          wanted,
          prefixes);
    }
    if (staticAddress
        && snapshot.facts().staticAddressNeeded()
        && snapshot.inventory().statistics().staticAddress().isEmpty()
        && capabilities.contains(Capability.STATIC_ADDRESS)) {
      return new MaintenancePlan.AssignStaticAddress(snapshot.facts().spec().staticIpTags());
    }
    return replacement.orElseGet(MaintenancePlan.Idle::new);
  }

  /** The dropped CIDRs that go; those that the provider cannot release take no part. */
  private List<ReleaseAction> release(Set<Cidr> dropped, UnaryOperator<Set<Cidr>> spare) {
    if (dropped.isEmpty()) {
      return List.of();
    }
    List<ReleaseAction> actions = operations.prepareCidrRelease(dropped);
    Set<Cidr> releasable = new TreeSet<>();
    for (ReleaseAction each : actions) {
      releasable.addAll(each.blocks());
      each.addresses().forEach(ip -> releasable.add(Cidr.single(ip)));
    }
    Set<Cidr> going = spare.apply(releasable);
    List<ReleaseAction> left = new ArrayList<>();
    for (ReleaseAction each : actions) {
      AddressSet.Builder addresses = AddressSet.builder();
      for (IpAddress ip : each.addresses()) {
        if (going.contains(Cidr.single(ip))) {
          addresses.add(ip);
        }
      }
      ReleaseAction fewer =
          each.only(addresses.build(), each.blocks().stream().filter(going::contains).toList());
      if (!fewer.isEmpty()) {
        left.add(fewer);
      }
    }
    return left;
  }

  /**
   * The release that goes on while {@code plan} adds addresses in place of those that leave; empty
   * for every other plan. It is as much as the watermarks do not need even now.
   */
  Optional<ReleaseAction> leavingBeside(MaintenancePlan plan, NodeSnapshot snapshot) {
    return plan.adds() && snapshot.statistics().needed() == 0
        ? leaving(snapshot)
        : Optional.empty();
  }

  /**
   * How addresses come in place of those that leave, while no others are missing; empty when none
   * are to come.
   */
  private Optional<MaintenancePlan> replacement(NodeSnapshot now, Optional<Blocked> forbidden) {
    NodeStatistics statistics = now.statistics();
    if (statistics.needed() > 0 || now.drain().held() == 0 || now.closed()) {
      return Optional.empty();
    }
    if (now.drain().replacing() == 0) {
      return Optional.of(new MaintenancePlan.DrainWaits(belowCeiling(now)));
    }
    if (forbidden.isPresent()) {
      return Optional.of(new MaintenancePlan.DrainWaits(forbidden.get()));
    }
    int replacing = now.drain().replacing();
    MaintenancePlan plan =
        allocation(
            operations.prepareIpAllocation(),
            capabilities,
            now.watermarks(),
            now.statistics(),
            replacing,
            now.wanted(),
            ipv6PrefixesNeeded(now));
    return Optional.of(
        plan instanceof MaintenancePlan.Stuck stuck
            ? new MaintenancePlan.DrainWaits(stuck.blocked())
            : plan);
  }

  /** Why nothing is asked for in place of what is to leave. */
  private static Blocked belowCeiling(NodeSnapshot now) {
    int available = now.statistics().available();
    int room = now.watermarks().room(available).orElse(0);
    return new Blocked(
        now.facts().spec().maxAllocate() > 0
            ? BlockedReason.MAX_ALLOCATE
            : BlockedReason.OUT_OF_INTERFACES,
        room == 0
            ? available + " addresses are all that the ceiling allows"
            : "the ceiling allows "
                + room
                + " beside "
                + available
                + " addresses: too few for any of these to leave");
  }

  /** Whether singles cannot take the place of a block that does not fit (N1). */
  private static boolean onlyBlocks(AddressPlan plan, Set<Capability> capabilities) {
    return plan.blockSize() > 1 && !capabilities.contains(Capability.SINGLE_ADDRESSES);
  }

  /** The surplus beside the addresses that leave. */
  private Optional<ReleaseAction> surplus(NodeSnapshot snapshot) {
    int excess = snapshot.statistics().excess() - snapshot.drain().leaving();
    if (excess <= 0) {
      return Optional.empty();
    }
    ReleaseAction surplus = operations.prepareIpRelease(excess, snapshot.facts().used());
    ReleaseAction given =
        snapshot.config().isReferenceCompatible() // gives no block back (N8)
            ? surplus.only(surplus.addresses(), List.of())
            : surplus;
    return given.isEmpty() ? Optional.empty() : Optional.of(given);
  }

  /** The addresses that leave, of one of the draining interfaces. */
  private Optional<ReleaseAction> leaving(NodeSnapshot snapshot) {
    int leaving = snapshot.drain().leaving();
    if (leaving == 0) {
      return Optional.empty();
    }
    ReleaseAction action = operations.prepareIpRelease(leaving, snapshot.facts().used());
    boolean drains =
        snapshot.inventory().interfaces().stream()
            .anyMatch(
                each -> each.draining() && action.onInterface().equals(Optional.of(each.id())));
    return drains && !action.isEmpty() ? Optional.of(action) : Optional.empty();
  }

  private boolean releasing(NodeSnapshot snapshot) {
    return snapshot.config().release().enabled() && capabilities.contains(Capability.RELEASE);
  }

  private int ipv6PrefixesNeeded(NodeSnapshot snapshot) {
    return capabilities.contains(Capability.IPV6_PREFIX)
        ? snapshot.facts().ipv6PrefixesNeeded(snapshot.inventory().statistics().ipv6Prefixes())
        : 0;
  }

  /**
   * How addresses come.
   *
   * @param needed those that are missing or to be replaced; 0 where prefixes alone are
   * @param wanted what is asked for because of them
   */
  private static MaintenancePlan allocation(
      AllocationAction prepared,
      Set<Capability> capabilities,
      Watermarks watermarks,
      NodeStatistics statistics,
      int needed,
      int wanted,
      int prefixes) {
    if (prepared.blocked().isPresent()) {
      return new MaintenancePlan.Stuck(prepared.blocked().get());
    }
    boolean replaces = needed > 0 && statistics.needed() == 0;
    String what = needed + (replaces ? " addresses to be replaced" : " addresses missing");
    OptionalInt room = watermarks.room(statistics.available());
    AllocationAction action = prepared.with(prepared.ipv4().wanting(wanted, room), prefixes);
    if (needed > 0 && onlyBlocks(action.ipv4(), capabilities) && action.ipv4().blocks() == 0) {
      return new MaintenancePlan.Stuck(
          new Blocked(
              BlockedReason.MAX_ALLOCATE,
              what
                  + ", room for "
                  + room.orElse(0)
                  + " under the ceiling, and the cloud gives them in blocks of "
                  + action.ipv4().blockSize()));
    }
    if (action.onInterface().isPresent() && action.ipv4().roomOnInterface() > 0) {
      return new MaintenancePlan.Allocate(action);
    }
    if (action.onInterface().isPresent() && needed == 0 && prefixes > 0) {
      return new MaintenancePlan.Allocate(action);
    }
    if (action.emptyInterfaceSlots() > 0 && capabilities.contains(Capability.NEW_INTERFACE)) {
      return new MaintenancePlan.CreateInterface(action);
    }
    return new MaintenancePlan.Stuck(
        new Blocked(
            BlockedReason.OUT_OF_INTERFACES,
            what
                + ", no room on "
                + statistics.interfaces()
                + " interfaces and "
                + NodeStatistics.slotsText(action.emptyInterfaceSlots())));
  }
}
