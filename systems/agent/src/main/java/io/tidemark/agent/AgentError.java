package io.tidemark.agent;

import io.tidemark.error.ErrorCode;

/** Why an agent refuses a request, 1600-1699. */
public enum AgentError implements ErrorCode {
  FAMILY_DISABLED(
      1601, Kind.CONFIGURATION, "Enable the family, or use an address of the other one."),
  POOL_REQUIRED(1602, Kind.USAGE, "Name the pool that the address belongs to."),
  INVALID_ADDRESS(1603, Kind.USAGE, "Give one IPv4 or IPv6 address, without a prefix length."),
  EXCLUDED(1604, Kind.CONFIGURATION, "Use another address, or withdraw the reservation."),
  ALREADY_ALLOCATED(1605, Kind.USAGE, "Release the address first, or use another one."),
  NOT_IN_RANGE(
      1606,
      Kind.USAGE,
      "Use an address of the range; its network and broadcast addresses are not allocated."),
  EXHAUSTED(1607, Kind.CAPACITY, "Delete pods of the node, or give the node more addresses."),
  NOT_AVAILABLE_IN_POOL(
      1608, Kind.RETRYABLE, "Wait until the operator has given the node this address."),
  IN_RELEASE_HANDSHAKE(
      1609, Kind.RETRYABLE, "Use another address, or wait until the operator keeps this one."),
  POOL_NOT_READY(
      1610, Kind.RETRYABLE, "Wait until the node has addresses of the pool, or correct its name."),
  NODE_UNAVAILABLE(
      1611,
      Kind.RETRYABLE,
      "Wait until the node's object exists and carries the id of this instance."),
  INTERFACE_UNKNOWN(
      1612,
      Kind.RETRYABLE,
      "Wait until the operator has published the interface and this machine shows it."),
  UNSUPPORTED(
      1613,
      Kind.CONFIGURATION,
      "Ask the delegated plugin, or set ipam to a mode in which the agent has addresses."),
  LEASE_NOT_FOUND(
      1614, Kind.USAGE, "Allocate again; the lease has expired or was stopped, or never started."),
  LEASE_MISMATCH(1615, Kind.USAGE, "Stop the lease that was started with the present allocation."),
  METADATA_FAILURE(
      1616, Kind.RETRYABLE, "Wait until the pod and its namespace are known, or name the pool."),
  FAMILY_UNAVAILABLE(1617, Kind.CONFIGURATION, "Enable the family, or ask for the other one."),
  ROUTING_CIDR_CONTRADICTS(
      1619,
      Kind.CONFIGURATION,
      "Set the block to the VPC's, to a part of it or to one around it, or leave it out."),
  OFFER_REBUILT(
      1620,
      Kind.INTERNAL,
      "None; the addresses are handed out again. Report the fault with this line."),
  NOT_ALLOCATED(1621, Kind.USAGE, "Allocate the address first; it may have been released."),
  LEASE_EXISTS(1622, Kind.USAGE, "Stop the lease that runs, or leave it to run."),
  FAMILY_UNKNOWN(1623, Kind.USAGE, "Give ipv4 or ipv6, or nothing for both."),
  OWNER_UNKNOWN(1624, Kind.USAGE, "Give an address that is in use, or the owner of one.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final Meaning meaning;

  AgentError(int number, Kind kind, String remedy) {
    this.meaning = new Meaning(number, kind, remedy);
  }

  @Override
  public Meaning meaning() {
    return meaning;
  }
}
