package io.tidemark.spi;

import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallContext;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The ranges of pod addresses that a cloud routes to instances: an optional part of a provider, for
 * the allocators that synchronize pod CIDRs of nodes with a cloud (node-cidr AM28). Thread-safe.
 */
public interface NodeAliasRanges {
  /** The instance that {@code spec.providerID} of a Node names; empty when not of this cloud. */
  Optional<InstanceId> instanceOf(String providerId);

  /**
   * The ranges of an instance in the cloud's order: of several of one family the first counts. From
   * the cache, which {@link AllocationImplementation#instanceSync} refreshes. Empty while the
   * instance was not read.
   */
  Optional<List<Cidr>> ranges(InstanceId instance);

  /** Whether a range is routed, and so the network available, once the instance has it. */
  default boolean areRouted() {
    return true;
  }

  /**
   * Assigns a range to an instance. One call per instance at a time. After {@link
   * AliasRangeOutcome.Unknown} a repetition reads first whether the instance has the range.
   *
   * @return ends by the context's deadline; an added range is in {@link #ranges} then
   */
  CompletionStage<AliasRangeOutcome> add(InstanceId instance, Cidr cidr, CallContext context);
}
