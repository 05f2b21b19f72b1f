/**
 * Runs in: operator.
 *
 * <p>What a provider remembers of its instances between calls: the last reads, corrected by its own
 * writes, and the reads and creations that are under way. Every cloud that answers late or loses
 * answers needs the same care here, so providers share it instead of copying it. Nothing in the SPI
 * asks for its use.
 *
 * <p>Read {@link io.tidemark.provider.kit.InstanceInventory} first.
 */
@NullMarked
package io.tidemark.provider.kit;

import org.jspecify.annotations.NullMarked;
