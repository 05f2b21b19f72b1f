package io.tidemark.datastore;

import io.tidemark.error.ErrorCode;

/** Why a datastore refuses a request, 1700-1799. */
public enum DatastoreError implements ErrorCode {
  ENI_DUPLICATE(1701, Kind.USAGE, "Add an interface once."),
  ADDRESS_DUPLICATE(1702, Kind.USAGE, "Remove the address or prefix that overlaps it first."),
  ADDRESS_UNKNOWN(1703, Kind.USAGE, "Give an address or prefix that the interface has here."),
  ADDRESS_IN_USE(1704, Kind.RETRYABLE, "Wait until the pods that use it have ended."),
  ENI_IN_USE(1705, Kind.RETRYABLE, "Wait until the pods that use its addresses have ended."),
  ENI_UNKNOWN(1706, Kind.USAGE, "Add the interface first."),
  POD_UNKNOWN(1707, Kind.USAGE, "None; the sandbox has no address here, or no longer."),
  NO_ADDRESS(1708, Kind.CAPACITY, "Wait until the node has more addresses, or raise its targets."),
  KEY_INVALID(1709, Kind.USAGE, "Name the network, the container or the interface."),
  CHECKPOINT_FAILED(
      1710, Kind.RETRYABLE, "Make room on the file system, and let this program write the file."),
  CHECKPOINT_CORRUPT(
      1711,
      Kind.CONFIGURATION,
      "Repair or replace the file, or set allow-data-loss once no pod has an address of the node."),
  CHECKPOINT_VERSION(
      1712, Kind.CONFIGURATION, "Use the version that wrote the file, or restart the node."),
  FAMILY_NOT_SERVED(
      1713,
      Kind.CONFIGURATION,
      "Enable prefix delegation on an instance type that supports it, or use IPv4."),
  NOT_RECOVERED(1714, Kind.RETRYABLE, "Wait until the checkpoint has been read.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final Meaning meaning;

  DatastoreError(int number, Kind kind, String remedy) {
    this.meaning = new Meaning(number, kind, remedy);
  }

  @Override
  public Meaning meaning() {
    return meaning;
  }
}
