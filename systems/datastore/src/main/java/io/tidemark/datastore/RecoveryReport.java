package io.tidemark.datastore;

import io.tidemark.datastore.checkpoint.CheckpointEntry;
import java.util.List;

/**
 * The assignments that a store has taken up from a checkpoint.
 *
 * @param restored how many assignments it has taken up
 * @param orphans how many assignments have an address that the node does not have
 * @param duplicates how many of them have an address that a newer assignment has
 * @param stale the assignments of sandboxes that do not exist, which are dropped: rules of the host
 *     may still name their addresses
 * @param cooling how many addresses cool
 * @param rebooted whether the checkpoint is of another boot, so that no sandbox exists any more
 * @param livenessUnknown whether it could not be found out which sandboxes exist
 */
public record RecoveryReport(
    int restored,
    int orphans,
    int duplicates,
    List<CheckpointEntry> stale,
    int cooling,
    boolean rebooted,
    boolean livenessUnknown) {}
