package io.tidemark.datastore;

import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.checkpoint.UnreadableCheckpoint.Kind;

/**
 * Why a request was refused; nothing changed.
 *
 * @param text as the AWS VPC CNI says it; its callers compare it
 * @param detail what was refused, with the offending value; without code and remedy, and without
 *     the id of a container
 */
public record StoreRefusal(DatastoreError code, String text, String detail) {

  /** The whole message: code, what was refused, and what to do. */
  public String message() {
    return code.label() + " " + code.name() + ": " + detail + ". " + code.remedy();
  }

  /** A file that cannot be read. */
  public static StoreRefusal unreadable(Read.Refused read) {
    return new StoreRefusal(
        read.problem().kind() == Kind.VERSION
            ? DatastoreError.CHECKPOINT_VERSION
            : DatastoreError.CHECKPOINT_CORRUPT,
        "failed ipam state recovery from backing store",
        read.file() + ": " + read.problem().getMessage());
  }

  static StoreRefusal duplicateEni(String eniId) {
    return new StoreRefusal(
        DatastoreError.ENI_DUPLICATE, "data store: duplicate ENI", eniId + " is here already");
  }

  static StoreRefusal duplicateAddress(Object cidr, Object other, String eniId) {
    return new StoreRefusal(
        DatastoreError.ADDRESS_DUPLICATE,
        "datastore: IP already in data store",
        cidr + " overlaps " + other + " of " + eniId);
  }

  static StoreRefusal unknownAddress(Object cidr, String eniId) {
    return new StoreRefusal(
        DatastoreError.ADDRESS_UNKNOWN,
        "datastore: unknown IP",
        eniId + " has no " + cidr + " here");
  }

  static StoreRefusal addressInUse(Object cidr, int pods) {
    return new StoreRefusal(
        DatastoreError.ADDRESS_IN_USE,
        "datastore: IP is used and can not be deleted",
        cidr + " has addresses in use: " + pods);
  }

  static StoreRefusal eniInUse(String eniId, int pods) {
    return new StoreRefusal(
        DatastoreError.ENI_IN_USE,
        "datastore: ENI is used and can not be deleted",
        eniId + " has addresses in use: " + pods);
  }

  static StoreRefusal unknownEni(String eniId) {
    return new StoreRefusal(
        DatastoreError.ENI_UNKNOWN, "datastore: unknown ENI", eniId + " is not here");
  }

  static StoreRefusal addToUnknownEni(String eniId) {
    return new StoreRefusal(
        DatastoreError.ENI_UNKNOWN,
        "add ENI's IP to datastore: unknown ENI",
        eniId + " is not here");
  }

  static StoreRefusal unknownPod() {
    return new StoreRefusal(
        DatastoreError.POD_UNKNOWN, "datastore: unknown pod", "the sandbox has no address here");
  }

  static StoreRefusal noAddress(AssignOutcome.Reason reason) {
    return new StoreRefusal(
        DatastoreError.NO_ADDRESS,
        "AssignPodIPAddress: no available IP/Prefix addresses",
        "no address can be assigned: " + reason.text());
  }

  static StoreRefusal invalidKey() {
    return new StoreRefusal(
        DatastoreError.KEY_INVALID, "datastore: invalid key", "all parts of the key are empty");
  }

  static StoreRefusal notWritten(String reason) {
    return new StoreRefusal(DatastoreError.CHECKPOINT_FAILED, reason, reason);
  }

  static StoreRefusal ipv6WithoutPrefixes() {
    String text = "PD is not enabled. V6 is only supported in PD mode";
    return new StoreRefusal(
        DatastoreError.FAMILY_NOT_SERVED, text, "IPv6 addresses come from prefixes alone");
  }

  static StoreRefusal notRecovered() {
    String text = "the checkpoint has not been read yet";
    return new StoreRefusal(DatastoreError.NOT_RECOVERED, "datastore: " + text, text);
  }
}
