package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import java.util.Objects;

/**
 * One change, for checks of invariants after each step.
 *
 * @param sequence from 1, without gaps
 * @param atNanos when, on the cloud's monotonic clock
 * @param instanceId the instance concerned; empty for an interface that is not attached
 * @param interfaceId the interface concerned; empty for a change of the instance itself
 * @param addresses addresses that came or went, blocks spelled out
 */
public record Mutation(
    long sequence,
    long atNanos,
    Kind kind,
    String instanceId,
    String interfaceId,
    AddressSet addresses) {
  /** The kind of change. */
  public enum Kind {
    INSTANCE_CHANGED,
    INTERFACE_CREATED,
    INTERFACE_ATTACHED,
    INTERFACE_DETACHED,
    INTERFACE_DELETED,
    ATTRIBUTE_CHANGED,
    ADDRESSES_ADDED,
    ADDRESSES_REMOVED
  }

  public Mutation {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(instanceId, "instanceId");
    Objects.requireNonNull(interfaceId, "interfaceId");
    Objects.requireNonNull(addresses, "addresses");
  }
}
