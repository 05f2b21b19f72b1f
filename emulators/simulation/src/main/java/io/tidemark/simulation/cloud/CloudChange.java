package io.tidemark.simulation.cloud;

import io.tidemark.ip.AddressSet;

/**
 * One change of the cloud.
 *
 * @param instanceId the instance concerned; empty for an interface that is attached nowhere
 * @param interfaceId the interface concerned; empty for a change of the instance itself
 * @param addresses added or removed addresses, with those of blocks one by one
 */
public record CloudChange(Kind kind, String instanceId, String interfaceId, AddressSet addresses) {
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
}
