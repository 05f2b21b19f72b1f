package io.tidemark.nodeid.local;

import io.tidemark.ip.IpAddress;
import io.tidemark.nodeid.NodeIdError;

/** How a request for the address of a pod ended. */
public sealed interface PodAllocation {
  /** The pod has this address, now or since an earlier request. */
  record Allocated(IpAddress address) implements PodAllocation {}

  /** It has none, and nothing changed; the detail has the offending value, without a full stop. */
  record Refused(NodeIdError code, String detail) implements PodAllocation {}
}
