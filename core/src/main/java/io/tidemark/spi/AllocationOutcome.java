package io.tidemark.spi;

import io.tidemark.ip.IpAddress;
import io.tidemark.resilience.Failure;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Every expected end of an attempt to add addresses, which are then in the inventory. */
public sealed interface AllocationOutcome {
  /**
   * The cloud confirmed new addresses; fewer than wanted is a success.
   *
   * @param added the added addresses, by interface
   * @param created the interface that was created for it
   * @param staticAddress the public address that was associated
   * @param generation of the inventory that holds it
   */
  record Allocated(
      List<AttachedInterface> added,
      Optional<InterfaceId> created,
      Optional<IpAddress> staticAddress,
      long generation)
      implements AllocationOutcome {
    public Allocated {
      added = List.copyOf(added);
      Objects.requireNonNull(created, "created");
      Objects.requireNonNull(staticAddress, "staticAddress");
    }

    /** Number of added addresses, including all addresses of blocks. */
    public int addresses() {
      return added.stream().mapToInt(AttachedInterface::size).sum();
    }
  }

  /** Nothing changed: the pool has no free address or block, as is noted. Plan again. */
  record PoolExhausted(PoolId pool) implements AllocationOutcome {}

  /** Nothing changed: the cloud refuses more on this interface or instance. Resync, then plan. */
  record LimitReached(String limit) implements AllocationOutcome {}

  /** Nothing changed: the instance is stopped or stopping (node-manager 3.10). */
  record InstanceNotRunning() implements AllocationOutcome {}

  /** Nothing changed or partial work was undone; {@link Failure#kind()} says how to react. */
  record Refused(Failure failure) implements AllocationOutcome {}

  /** The response was lost: resync before the next decision, or allocate twice. */
  record Unknown(Failure failure) implements AllocationOutcome {}
}
