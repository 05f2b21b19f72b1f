package io.tidemark.node;

import io.tidemark.ip.Cidr;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Capability;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ReleaseAction;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Chooses what a pass does (node-manager 3.7, 3.8): surplus first, then deficit, then the public
 * address. Pure over the snapshot and the provider's cached plans.
 */
final class MaintenancePlanner {
  private final NodeOperations operations;
  private final Set<Capability> capabilities;

  MaintenancePlanner(NodeOperations operations, Set<Capability> capabilities) {
    this.operations = operations;
    this.capabilities = capabilities;
  }

  /**
   * The plan for one snapshot.
   *
   * @param droppedCidrs CIDRs that a multi-pool agent dropped long enough ago
   * @param staticAddressToo whether a public address may be asked for now
   */
  MaintenancePlan plan(NodeSnapshot snapshot, Set<Cidr> droppedCidrs, boolean staticAddressToo) {
    if (releasing(snapshot)) {
      if (!droppedCidrs.isEmpty() && capabilities.contains(Capability.CIDR_RELEASE)) {
        List<ReleaseAction> actions = operations.prepareCidrRelease(droppedCidrs);
        if (!actions.isEmpty()) {
          return new MaintenancePlan.ReleaseCidrs(actions);
        }
      }
      if (snapshot.statistics().excess() > 0 && !snapshot.facts().multiPool()) {
        ReleaseAction surplus = surplus(snapshot);
        if (!surplus.isEmpty()) {
          return new MaintenancePlan.Release(surplus, Optional.empty());
        }
      }
    }
    int prefixes = ipv6PrefixesNeeded(snapshot);
    if (snapshot.statistics().needed() > 0 || prefixes > 0) {
      return allocation(snapshot, prefixes);
    }
    if (staticAddressToo
        && snapshot.facts().staticAddressNeeded()
        && snapshot.inventory().statistics().staticAddress().isEmpty()
        && capabilities.contains(Capability.STATIC_ADDRESS)) {
      return new MaintenancePlan.AssignStaticAddress(snapshot.facts().spec().staticIpTags());
    }
    return new MaintenancePlan.Idle();
  }

  /** Whether singles cannot take the place of a block that does not fit (N1). */
  private boolean onlyBlocks(AddressPlan plan) {
    return plan.blockSize() > 1 && !capabilities.contains(Capability.SINGLE_ADDRESSES);
  }

  private ReleaseAction surplus(NodeSnapshot snapshot) {
    ReleaseAction surplus =
        operations.prepareIpRelease(snapshot.statistics().excess(), snapshot.facts().used());
    return snapshot.config().referenceCompatible() // gives no block back (N8)
        ? surplus.only(surplus.addresses(), List.of())
        : surplus;
  }

  private boolean releasing(NodeSnapshot snapshot) {
    return snapshot.config().release().enabled() && capabilities.contains(Capability.RELEASE);
  }

  private int ipv6PrefixesNeeded(NodeSnapshot snapshot) {
    return capabilities.contains(Capability.IPV6_PREFIX)
        ? snapshot.facts().ipv6PrefixesNeeded(snapshot.inventory().statistics().ipv6Prefixes())
        : 0;
  }

  private MaintenancePlan allocation(NodeSnapshot snapshot, int prefixes) {
    AllocationAction prepared = operations.prepareIpAllocation();
    if (prepared.blocked().isPresent()) {
      return new MaintenancePlan.Stuck(prepared.blocked().get());
    }
    int needed = snapshot.statistics().needed();
    OptionalInt room = snapshot.watermarks().room(snapshot.statistics().available());
    AllocationAction action =
        prepared.with(prepared.ipv4().wanting(snapshot.wanted(), room), prefixes);
    if (needed > 0 && onlyBlocks(action.ipv4()) && action.ipv4().blocks() == 0) {
      return new MaintenancePlan.Stuck(
          new Blocked(
              BlockedReason.MAX_ALLOCATE,
              needed
                  + " addresses missing, room for "
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
            needed
                + " addresses missing, no room on "
                + snapshot.statistics().interfaces()
                + " interfaces and "
                + action.emptyInterfaceSlots()
                + " empty slots"));
  }
}
