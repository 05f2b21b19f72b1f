package io.tidemark.node;

import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.ReleaseAction;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one pass shall do for a node: a value that can be printed and compared. Made by {@link
 * MaintenancePlanner}, carried out by {@link Node}.
 */
sealed interface MaintenancePlan {
  /** Whether it adds to the interfaces of the node. */
  default boolean adds() {
    return this instanceof Allocate || this instanceof CreateInterface;
  }

  /** IPv4 addresses that it asks for; 0 for a plan that adds none. */
  default int asksFor() {
    if (this instanceof Allocate allocate) {
      return allocate.action().ipv4().wanted();
    }
    return this instanceof CreateInterface create ? create.action().ipv4().wanted() : 0;
  }

  /** Between the water marks, or nothing that can be given back now. */
  record Idle() implements MaintenancePlan {}

  /**
   * No address is missing, and those on interfaces that shall be emptied stay until others can be
   * had in their place.
   */
  record DrainWaits(Blocked why) implements MaintenancePlan {}

  /** Addresses are missing and cannot be had. */
  record Stuck(Blocked blocked) implements MaintenancePlan {}

  /** Fill an attached interface. */
  record Allocate(AllocationAction action) implements MaintenancePlan {}

  /** Create and attach another interface. */
  record CreateInterface(AllocationAction action) implements MaintenancePlan {}

  /** Ask for the node's public address. */
  record AssignStaticAddress(Map<String, String> tags) implements MaintenancePlan {
    public AssignStaticAddress {
      tags = Map.copyOf(tags);
    }
  }

  /**
   * Surplus on one interface; what of it may go now depends on the handshake.
   *
   * @param candidates all surplus the provider would give back, never empty
   * @param releasable what the agent acknowledged; empty while it must be asked or waited for
   */
  record Release(ReleaseAction candidates, Optional<ReleaseAction> releasable)
      implements MaintenancePlan {}

  /** CIDRs that a multi-pool agent dropped long enough ago, one action per interface. */
  record ReleaseCidrs(List<ReleaseAction> actions) implements MaintenancePlan {
    public ReleaseCidrs {
      actions = List.copyOf(actions);
    }
  }
}
