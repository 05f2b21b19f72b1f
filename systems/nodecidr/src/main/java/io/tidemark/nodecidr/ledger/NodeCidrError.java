package io.tidemark.nodecidr.ledger;

import io.tidemark.error.ErrorCode;

/** Why a node has no pod CIDR, or one that is not as it should be, 1400-1499. */
public enum NodeCidrError implements ErrorCode {
  CIDR_EXHAUSTED(
      1401,
      Kind.CAPACITY,
      "Add a range, or remove nodes that are gone; a new cluster can use smaller blocks."),
  CIDR_WRITE_FAILED(1402, Kind.RETRYABLE, "None; the write is repeated until its result is known."),
  CIDR_CONFLICT(
      1403,
      Kind.CONFIGURATION,
      "Delete one of the nodes and register it again; the CIDRs of a node cannot be changed."),
  CIDR_FOREIGN(
      1404,
      Kind.CONFIGURATION,
      "Configure the range that the CIDR is in, or delete the node and register it again."),
  CIDR_UNREADABLE(1405, Kind.USAGE, "Delete the node and register it again without this CIDR."),
  CIDR_MISMATCH(
      1406,
      Kind.CONFIGURATION,
      "Find out who wrote it; a node has one CIDR per family, in the order of the ranges."),
  CIDR_MODE(
      1407,
      Kind.CONFIGURATION,
      "Use the allocator type that suits who assigns the CIDRs, the cluster or the cloud."),
  SECOND_ALLOCATOR(
      1408,
      Kind.CONFIGURATION,
      "Stop the other allocator; this one waits until it writes no more."),
  CIDR_FORBIDDEN(
      1409,
      Kind.CONFIGURATION,
      "Allow the operator to patch nodes, with a cloud nodes/status too, or to update ciliumnodes"
          + " and ciliumnodes/status."),
  CIDR_WITHHELD(1410, Kind.RETRYABLE, "None; blocks become free when their pause has ended."),
  CLOUD_RANGE_MISSING(
      1411, Kind.RETRYABLE, "Assign a range to the instance, or wait until the cloud has done so."),
  RANGE_COVERED(1412, Kind.CONFIGURATION, "Leave a part of the range to the nodes."),
  FAMILY_OFF(
      1413,
      Kind.CONFIGURATION,
      "Configure a range of this family, or delete the node and register it again without it."),
  CIDR_LEAKED(
      1414,
      Kind.CAPACITY,
      "Restart the allocator: at its start it counts what the nodes have, and nothing else."),
  START_REFUSED(
      1415,
      Kind.RETRYABLE,
      "Correct the nodes and start again, or set node-cidr-strict-start=false."),
  CLOUD_MISMATCH(
      1416,
      Kind.CONFIGURATION,
      "Assign the node's CIDR to its instance, or delete the node and register it again.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final Meaning meaning;

  NodeCidrError(int number, Kind kind, String remedy) {
    this.meaning = new Meaning(number, kind, remedy);
  }

  @Override
  public Meaning meaning() {
    return meaning;
  }
}
