package io.tidemark.nodeid;

import io.tidemark.error.ErrorCode;

/** Why a node has no id, no subnets or no address for a pod, 1500-1599. */
public enum NodeIdError implements ErrorCode {
  NODE_ID_EXHAUSTED(1501, Kind.CAPACITY, "Widen the range named, or remove nodes that are gone."),
  NODE_ID_CONFLICT(
      1502,
      Kind.CONFIGURATION,
      "Drain one of the nodes, delete it and register it again; it gets another id."),
  NODE_ID_REASSERTED(1503, Kind.RETRYABLE, "None; the node has the id that it had before."),
  RANGES_OVERLAP(1504, Kind.CONFIGURATION, "Change one of the two ranges."),
  NODE_ID_OUT_OF_RANGE(1505, Kind.CONFIGURATION, "Use a lower id, or widen the range named."),
  AWAITING_POD_CIDR(
      1506, Kind.RETRYABLE, "Wait until the node's object has a pod CIDR, or its id is known."),
  POD_SUBNET_EXHAUSTED(
      1507, Kind.CAPACITY, "Delete pods of the node, or give each node a wider subnet."),
  EXTERNAL_RESULT_REFUSED(
      1508, Kind.USAGE, "Correct the IPAM plugin, or the pod CIDR that it is configured with."),
  CLAIMS_FORBIDDEN(
      1509,
      Kind.CONFIGURATION,
      "Allow the operator to change Leases in the namespace of the claims, and to patch Nodes."),
  NODE_ID_MISMATCH(
      1510,
      Kind.CONFIGURATION,
      "Use the settings that the node was set up with, or drain it, delete it and register it again.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final Meaning meaning;

  NodeIdError(int number, Kind kind, String remedy) {
    this.meaning = new Meaning(number, kind, remedy);
  }

  @Override
  public Meaning meaning() {
    return meaning;
  }
}
