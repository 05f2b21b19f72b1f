package io.tidemark.nodecidr.cloud;

import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.resilience.CallContext;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeAliasRanges;
import io.tidemark.spi.SyncOutcome;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * The cloud whose ranges the nodes have: {@code type} says who decides, {@code read} reads an
 * instance again by a stage that never ends exceptionally, {@code forget} takes one whose node is
 * gone.
 */
public record CloudSource(
    CidrAllocatorType type,
    NodeAliasRanges ranges,
    BiFunction<InstanceId, CallContext, CompletionStage<SyncOutcome>> read,
    Consumer<InstanceId> forget) {
  /** A provider with {@link io.tidemark.spi.Capability#ALIAS_RANGES}, which the program closes. */
  public static CloudSource of(CidrAllocatorType type, AllocationImplementation provider) {
    return new CloudSource(
        type,
        provider.aliasRanges().orElseThrow(),
        provider::instanceSync,
        provider::deleteInstance);
  }
}
