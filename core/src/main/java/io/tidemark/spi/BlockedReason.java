package io.tidemark.spi;

import io.tidemark.error.ErrorCode;

/** Why a node cannot go on; numbers 1200-1299 are published in docs/errors.md. */
public enum BlockedReason implements ErrorCode {
  OUT_OF_INTERFACES(
      1201, Kind.CAPACITY, "Use a larger machine, or lower min-allocate and pre-allocate."),
  NO_SUBNET(
      1202,
      Kind.CONFIGURATION,
      "Select a subnet with free addresses in the cloud section of the node."),
  SUBNET_EXHAUSTED(
      1203,
      Kind.CAPACITY,
      "Free addresses in the subnet, or select another one in the cloud section of the node."),
  SUBNET_FRAGMENTED(
      1204,
      Kind.CAPACITY,
      "Reserve a CIDR for blocks in the subnet, or select another subnet in the cloud section of"
          + " the node."),
  LIMITS_UNKNOWN(
      1205, Kind.CONFIGURATION, "Check the instance type in the cloud section of the node."),
  NO_INSTANCE_ID(
      1206,
      Kind.CONFIGURATION,
      "Wait for the agent to write spec.instance-id, or check why it does not."),
  OTHER_CLOUD(
      1207, Kind.CONFIGURATION, "Run the operator with the provider of the node's cloud section."),
  MAX_ALLOCATE(1208, Kind.CONFIGURATION, "Raise spec.ipam.max-allocate, or lower the watermarks."),
  DUPLICATE_CLAIM(
      1209, Kind.CONFIGURATION, "Remove one of the two claims; both nodes wait until then."),
  INSTANCE_MISSING(1210, Kind.RETRYABLE, "Delete the node resource if the instance is gone."),
  INSTANCE_NOT_RUNNING(1211, Kind.RETRYABLE, "Start the instance; it is probed automatically."),
  INSTANCES_API_UNSTABLE(
      1212,
      Kind.RETRYABLE,
      "Check the cloud's API, credentials and network; requests are retried automatically."),
  INVALID_RESOURCE(1213, Kind.USAGE, "Correct the node resource at the path given."),
  BACKING_OFF(1214, Kind.RETRYABLE, "None; the next attempt is automatic. See the last failure."),
  CLOUD_REFUSED(
      1215,
      Kind.CONFIGURATION,
      "Correct what the cloud refuses, such as permissions, quota or settings."),
  READING_BACK(
      1216,
      Kind.RETRYABLE,
      "None; a response was lost, and the current state is being read from the cloud."),
  SECOND_OWNER(
      1217,
      Kind.CONFIGURATION,
      "Stop the other operator that writes this node's pool; this operator waits until those"
          + " writes stop."),
  FOREIGN_INTERFACE(
      1218,
      Kind.CONFIGURATION,
      "Leave the instance to one owner: remove the other and its interfaces or their tags, or"
          + " exclude its interfaces by a tag in the cloud section of the node."),
  NOT_SELECTED(
      1219,
      Kind.CONFIGURATION,
      "Tag the instance so that the operator's filter selects it, or widen the filter."),
  /** Does not stop the node: it goes on to get addresses. */
  OFFER_NOT_TAKEN(
      1220,
      Kind.CONFIGURATION,
      "Restart the agent of that node: its pods wait for addresses that it could take up."),
  /** Does not stop the node: it goes on to get addresses for other pods. */
  USED_ADDRESS_GONE(
      1221,
      Kind.CONFIGURATION,
      "Restart or delete the named pods, so that they get other addresses, and find out what"
          + " unassigned theirs."),
  INSTANCES_ELSEWHERE(
      1222,
      Kind.RETRYABLE,
      "Check the region and credentials of the operator, and keep the node resources: if no"
          + " instance is found, a wrong region or account is more likely than the loss of all"
          + " instances."),
  ADDRESS_LIMIT(
      1223,
      Kind.CAPACITY,
      "Use a machine that holds more addresses, or lower min-allocate and pre-allocate.");

  // 1226 is retired: never hand it out again

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final Meaning meaning;

  BlockedReason(int number, Kind kind, String remedy) {
    this.meaning = new Meaning(number, kind, remedy);
  }

  /** Whether a node that this is said of cannot go on; else it goes on, and a person must look. */
  public boolean stopsNode() {
    return this != USED_ADDRESS_GONE && this != OFFER_NOT_TAKEN;
  }

  @Override
  public Meaning meaning() {
    return meaning;
  }
}
