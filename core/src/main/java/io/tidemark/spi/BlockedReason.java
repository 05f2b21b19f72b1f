package io.tidemark.spi;

import io.tidemark.error.ErrorCode;

/** Why a node cannot go on; numbers 1200-1299 are published in docs/errors.md. */
public enum BlockedReason implements ErrorCode {
  OUT_OF_INTERFACES(
      1201, Kind.CAPACITY, "Use a larger machine, or lower min-allocate and pre-allocate."),
  NO_SUBNET(
      1202,
      Kind.CONFIGURATION,
      "Let the node's section of the cloud select a subnet that serves it."),
  SUBNET_EXHAUSTED(
      1203,
      Kind.CAPACITY,
      "Free addresses in the subnet, or let the node's section select another."),
  SUBNET_FRAGMENTED(
      1204,
      Kind.CAPACITY,
      "Reserve a range for blocks in the subnet, or let the node's section select another."),
  LIMITS_UNKNOWN(
      1205, Kind.CONFIGURATION, "Check the machine's type in the node's section of the cloud."),
  NO_INSTANCE_ID(
      1206,
      Kind.CONFIGURATION,
      "Wait for the agent to write spec.instance-id, or check why it does not."),
  OTHER_CLOUD(
      1207,
      Kind.CONFIGURATION,
      "Run the operator with the provider that the node's section belongs to."),
  MAX_ALLOCATE(1208, Kind.CONFIGURATION, "Raise spec.ipam.max-allocate, or lower the watermarks."),
  DUPLICATE_CLAIM(
      1209, Kind.CONFIGURATION, "Remove one of the two claims; both nodes wait until then."),
  INSTANCE_MISSING(1210, Kind.RETRYABLE, "Delete the node resource if the instance is gone."),
  INSTANCE_NOT_RUNNING(1211, Kind.RETRYABLE, "Start the instance; it is probed again by itself."),
  INSTANCES_API_UNSTABLE(
      1212,
      Kind.RETRYABLE,
      "Check the cloud's API, credentials and network; it is tried again by itself."),
  INVALID_RESOURCE(1213, Kind.USAGE, "Correct the node resource at the path given."),
  BACKING_OFF(
      1214,
      Kind.RETRYABLE,
      "Nothing to do; the next attempt comes by itself. See the last failure."),
  CLOUD_REFUSED(
      1215,
      Kind.CONFIGURATION,
      "Correct what the cloud objects to, such as permissions, quota or settings."),
  READING_BACK(
      1216,
      Kind.RETRYABLE,
      "Nothing to do; an answer was lost and the cloud is being asked what it holds."),
  SECOND_OWNER(
      1217,
      Kind.CONFIGURATION,
      "Stop the other operator that writes this node's pool; this one waits until it is quiet."),
  FOREIGN_INTERFACE(
      1218,
      Kind.CONFIGURATION,
      "Let one owner work on the instance: remove the other and its interfaces or their tags, or"
          + " exclude theirs by a tag in the node's section of the cloud."),
  NOT_SELECTED(
      1219,
      Kind.CONFIGURATION,
      "Tag the instance so that the operator's filter selects it, or widen the filter."),
  /** Does not stop the node: it goes on to get addresses for other pods. */
  USED_ADDRESS_GONE(
      1221,
      Kind.CONFIGURATION,
      "Restart or delete the pods named, so that they get other addresses, and find out who"
          + " unassigned theirs."),
  INSTANCES_ELSEWHERE(
      1222,
      Kind.RETRYABLE,
      "Check region and credentials of the operator, and keep the node resources: where no instance"
          + " is found, the place is wrong rather than every instance gone."),
  ADDRESS_LIMIT(
      1223,
      Kind.CAPACITY,
      "Use a machine that holds more addresses, or lower min-allocate and pre-allocate.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final Meaning meaning;

  BlockedReason(int number, Kind kind, String remedy) {
    this.meaning = new Meaning(number, kind, remedy);
  }

  /** Whether a node that this is said of cannot go on; else it goes on, and a person must look. */
  public boolean stopsNode() {
    return this != USED_ADDRESS_GONE;
  }

  @Override
  public Meaning meaning() {
    return meaning;
  }
}
