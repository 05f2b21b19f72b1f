package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.kit.plan.SlotModel;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.NodeSettings;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * The capacity of a machine (Z22, Z23): 256 configurations on each interface and on all of them
 * together; each takes one place, whatever it holds. No interface can be attached to a running
 * machine (Z25). Pure.
 *
 * @param interfaceName the only interface for pods; empty for all
 * @param primaryUsable whether primary addresses serve pods
 * @param blocks whether blocks are asked for
 * @param parity whether the numbers are those of the reference
 * @param taken configurations of all interfaces of the machine
 * @param own the machine's primary interface; empty where Azure does not tell
 */
record AzureSlots(
    String interfaceName,
    boolean primaryUsable,
    boolean blocks,
    boolean parity,
    int taken,
    Optional<InterfaceId> own)
    implements SlotModel<Nic> {
  /** Configurations of an interface, and of a machine (Z22). */
  static final int PLACES = 256;

  /** Pod addresses of a node with blocks: what the node's resource has room for (Z23). */
  private static final int WITH_BLOCKS_MAX = 1_024;

  /**
   * The model of a machine.
   *
   * @param givesBlocks whether Azure gives blocks to machines of its kind
   */
  static AzureSlots of(
      AzureSpecJson spec,
      NodeSettings node,
      boolean primaryUsable,
      boolean givesBlocks,
      List<Nic> attached) {
    return new AzureSlots(
        spec.interfaceName(),
        primaryUsable,
        SlotModel.asksForBlocks(node, spec.disablePrefixDelegation(), givesBlocks),
        node.referenceCompatible(),
        attached.stream().mapToInt(Nic::configurations).sum(),
        Nic.ownOf(attached).map(Nic::id));
  }

  @Override
  public int slots() {
    return PLACES - 1;
  }

  /** The machine's primary interface, which may be one that is not selected. */
  @Override
  public boolean own(Nic nic) {
    return own.filter(nic.id()::equals).isPresent();
  }

  @Override
  public boolean usable(Nic nic) {
    return nic.isReady() && isSelected(nic);
  }

  /** Whether its name is the wanted one; the name, not the last part of its id (Z21). */
  boolean isSelected(Nic nic) {
    return interfaceName.isEmpty() || interfaceName.equals(nic.name());
  }

  private boolean isOther(Nic nic) {
    return usable(nic) && !own(nic);
  }

  @Override
  public int freeSlots(Nic nic) {
    int left = PLACES - Math.max(nic.configurations(), taken);
    return Math.max(0, left + nic.incomplete());
  }

  @Override
  public boolean primaryTakesPlace() {
    return parity;
  }

  @Override
  public OptionalInt forPodsMax() {
    return OptionalInt.of(1);
  }

  @Override
  public int capacity(List<Nic> attached, Predicate<Nic> retired) {
    if (parity) {
      return slots();
    }
    int never = 0;
    int inBlocks = 0;
    for (Nic nic : attached) {
      int primaries = primaryServes(nic) && nic.primary().isPresent() ? 1 : 0;
      never += usable(nic) ? nic.fixed() - nic.incomplete() - primaries : nic.configurations();
      inBlocks += usable(nic) ? (Pool.BLOCK_SIZE - 1) * nic.prefixes().size() : 0;
    }
    int places = Math.max(0, PLACES - never);
    return blocks ? Math.min(WITH_BLOCKS_MAX, places * Pool.BLOCK_SIZE) : places + inBlocks;
  }

  @Override
  public OptionalInt ceiling(List<Nic> attached) {
    if (blocks) {
      return OptionalInt.of(WITH_BLOCKS_MAX);
    }
    boolean primaries = primaryUsable && attached.stream().anyMatch(this::isOther);
    return OptionalInt.of(primaries || parity ? slots() + 1 : slots());
  }
}
