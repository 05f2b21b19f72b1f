package io.tidemark.node;

import io.tidemark.demand.GrowthKind;
import io.tidemark.resilience.CallKind;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The changes of one pass for a node: a value that can be printed and compared. Made by {@link
 * MaintenancePlanner}, carried out by {@link PlanExecutor}.
 */
sealed interface MaintenancePlan {
  default boolean adds() {
    return this instanceof Allocate || this instanceof CreateInterface;
  }

  /** The step by which a plan that adds addresses lets the pool grow. */
  default GrowthKind step() {
    if (this instanceof Allocate allocate) {
      return allocate.action().ipv4().blockSize() > 1 ? GrowthKind.BLOCKS : GrowthKind.ADDRESSES;
    }
    return GrowthKind.INTERFACE;
  }

  /** IPv4 addresses that it asks for; 0 for a plan that adds none. */
  default int asksFor() {
    if (this instanceof Allocate allocate) {
      return allocate.action().ipv4().wanted();
    }
    return this instanceof CreateInterface create ? create.action().ipv4().wanted() : 0;
  }

  /** The kinds of call that open it; empty for a plan that changes nothing in the cloud now. */
  default Optional<List<CallKind>> opening() {
    return Optional.empty();
  }

  String toText();

  private static String amount(AllocationAction action) {
    int wanted =
        Math.min(action.ipv4().wanted(), action.ipv4().ceiling().orElse(Integer.MAX_VALUE));
    String blocks =
        action.ipv4().blockSize() > 1 ? " in blocks of " + action.ipv4().blockSize() : "";
    return wanted + " addresses" + blocks;
  }

  private static String pool(AllocationAction action) {
    return action.pool().map(PoolId::text).map(id -> " from " + id).orElse("");
  }

  /** Between the watermarks, or nothing that can be given back now. */
  record Idle() implements MaintenancePlan {
    @Override
    public String toText() {
      return "idle: nothing to do";
    }
  }

  /**
   * No address is missing, and those on draining interfaces stay until others can be had in their
   * place.
   */
  record DrainWaits(Blocked why) implements MaintenancePlan {
    @Override
    public String toText() {
      return "idle: the drain waits, its free addresses stay in use: " + why.detail();
    }
  }

  /** Addresses are missing and cannot be had. */
  record Stuck(Blocked blocked) implements MaintenancePlan {
    @Override
    public String toText() {
      return "none: " + blocked.detail();
    }
  }

  record Allocate(AllocationAction action) implements MaintenancePlan {
    @Override
    public Optional<List<CallKind>> opening() {
      return Optional.of(action.firstCalls());
    }

    @Override
    public String toText() {
      return "allocate "
          + amount(action)
          + " on "
          + action.onInterface().map(InterfaceId::text).orElse("?")
          + pool(action);
    }
  }

  record CreateInterface(AllocationAction action) implements MaintenancePlan {

    @Override
    public Optional<List<CallKind>> opening() {
      return Optional.of(action.firstCalls());
    }

    @Override
    public String toText() {
      return "create an interface with up to " + amount(action) + pool(action);
    }
  }

  /** Ask for the node's public address. */
  record AssignStaticAddress(Map<String, String> tags) implements MaintenancePlan {
    @Override
    public Optional<List<CallKind>> opening() {
      return Optional.of(List.of());
    }

    @Override
    public String toText() {
      return "assign a public address with tags " + tags;
    }
  }

  /**
   * Surplus on one interface; what of it may go now depends on the handshake.
   *
   * @param candidates all surplus the provider would give back, never empty
   * @param releasable what the agent acknowledged; empty while it must be asked or waited for
   */
  record Release(ReleaseAction candidates, Optional<ReleaseAction> releasable)
      implements MaintenancePlan {
    @Override
    public Optional<List<CallKind>> opening() {
      return releasable.map(action -> List.of(action.firstCall()));
    }

    @Override
    public String toText() {
      return "release "
          + candidates.allAddresses().size()
          + " addresses"
          + candidates.onInterface().map(id -> " of " + id).orElse("")
          + ", "
          + releasable.map(action -> action.allAddresses().size()).orElse(0)
          + " of them acknowledged";
    }
  }

  /** CIDRs that a multi-pool agent dropped long enough ago, one action per interface. */
  record ReleaseCidrs(List<ReleaseAction> actions) implements MaintenancePlan {
    @Override
    public Optional<List<CallKind>> opening() {
      return Optional.of(List.of(actions.get(0).firstCall()));
    }

    @Override
    public String toText() {
      return "release what the agent dropped on " + actions.size() + " interfaces";
    }
  }
}
