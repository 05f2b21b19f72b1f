package io.tidemark.agent;

import io.tidemark.error.ErrorCode;
import io.tidemark.error.ErrorCode.Kind;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.HandshakeState;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Why a request was refused (allocators 12). Nothing changed. Two denials are equal when they are
 * of the same kind and name the same things.
 *
 * @param code the published code
 * @param detail what was refused, with the offending value; without code and remedy
 * @param lack the pool without a free address; empty when that is not the reason
 * @param cause the denial that led to this one; empty when none did
 */
public record Denial(ErrorCode code, String detail, Optional<Lack> lack, Optional<Denial> cause) {
  /** One family of a pool. */
  public record Lack(PoolName pool, IpFamily family) {}

  /** Without a lack and a cause. */
  public Denial(ErrorCode code, String detail) {
    this(code, detail, Optional.empty(), Optional.empty());
  }

  /** Whether the same request may succeed later without anybody changing anything. */
  public boolean retryable() {
    return code.kind() == Kind.RETRYABLE || code.kind() == Kind.CAPACITY;
  }

  /** Whether this denial, its cause or a cause of that equals {@code other}. */
  public boolean causedBy(Denial other) {
    return equals(other) || cause.filter(each -> each.causedBy(other)).isPresent();
  }

  /** The whole message: code, what was refused, and what to do. */
  public String text() {
    return code.label() + " " + code.name() + ": " + detail + ". " + code.remedy();
  }

  /** An address of a family that the agent does not serve. */
  public static Denial familyDisabled(IpFamily family) {
    return new Denial(AgentError.FAMILY_DISABLED, family + " allocation disabled");
  }

  /** Any address was asked for, of a family that the agent does not serve. */
  public static Denial familyUnavailable(IpFamily family) {
    return new Denial(AgentError.FAMILY_UNAVAILABLE, family + " allocator not available");
  }

  /** A request about one address names no pool. */
  public static Denial poolRequired(IpAddress ip) {
    return new Denial(
        AgentError.POOL_REQUIRED,
        "the pool of " + ip + " must be named, also when an address is restored");
  }

  /** A text that is no address. */
  public static Denial invalidAddress(String given) {
    return new Denial(AgentError.INVALID_ADDRESS, "\"" + given + "\" is not an IP address");
  }

  /** Somebody reserved the address. */
  public static Denial excluded(IpAddress ip, PoolName pool, String reservingOwner) {
    return new Denial(
        AgentError.EXCLUDED, ip + " of pool " + pool + " is reserved by " + reservingOwner);
  }

  /** The address is in use. */
  public static Denial alreadyAllocated(IpAddress ip, String owner) {
    return new Denial(AgentError.ALREADY_ALLOCATED, ip + " is in use by " + owner);
  }

  /** The address is not one that the range hands out. */
  public static Denial notInRange(IpAddress ip, String range) {
    return new Denial(
        AgentError.NOT_IN_RANGE, ip + " is not an address that " + range + " hands out");
  }

  /** The node's pool does not have the address, or not yet. */
  public static Denial notAvailableInPool(IpAddress ip) {
    return new Denial(AgentError.NOT_AVAILABLE_IN_POOL, "IP " + ip + " is not available");
  }

  /** The operator takes the address back, or has taken it. */
  public static Denial inReleaseHandshake(IpAddress ip, HandshakeState state) {
    return new Denial(
        AgentError.IN_RELEASE_HANDSHAKE, ip + " is " + state.wire() + " in the node's object");
  }

  /** There is no object of the node, or it is that of another instance. */
  public static Denial nodeUnavailable(String node) {
    return new Denial(
        AgentError.NODE_UNAVAILABLE, "there is no object of node " + node + " and this instance");
  }

  /** The interface of the address is not published yet, or not on this machine. */
  public static Denial interfaceUnknown(IpAddress ip, String id) {
    return new Denial(
        AgentError.INTERFACE_UNKNOWN,
        "interface \"" + id + "\" of " + ip + " is not in the node's status or not here");
  }

  /** The agent hands out no addresses, because a plugin of the data path does. */
  public static Denial unsupported() {
    return new Denial(AgentError.UNSUPPORTED, "addresses are delegated to a plugin");
  }

  /** No lease of the address runs. */
  public static Denial leaseNotFound(IpAddress ip, PoolName pool) {
    return new Denial(
        AgentError.LEASE_NOT_FOUND, "no lease of " + ip + " in pool " + pool + " runs");
  }

  /** Another lease of the address runs than the one named. */
  public static Denial leaseMismatch(IpAddress ip, PoolName pool, UUID named) {
    return new Denial(
        AgentError.LEASE_MISMATCH,
        "the lease of " + ip + " in pool " + pool + " that runs is not " + named);
  }

  /** A lease of the address runs already. */
  public static Denial leaseExists(IpAddress ip, PoolName pool) {
    return new Denial(
        AgentError.LEASE_EXISTS, "a lease of " + ip + " in pool " + pool + " runs already");
  }

  /** The address is not in use. */
  public static Denial notAllocated(IpAddress ip, PoolName pool) {
    return new Denial(AgentError.NOT_ALLOCATED, ip + " of pool " + pool + " is not allocated");
  }

  /** The pool of an owner's addresses is not known. */
  public static Denial metadataFailure(String owner, String reason) {
    return new Denial(
        AgentError.METADATA_FAILURE, "the pool of " + owner + " is not known: " + reason);
  }

  /** A text that is no address family. */
  public static Denial unknownFamily(String given) {
    return new Denial(AgentError.FAMILY_UNKNOWN, "\"" + given + "\" is not an address family");
  }

  /** A text that is neither an address nor the owner of one. */
  public static Denial unknownOwner(String given) {
    return new Denial(
        AgentError.OWNER_UNKNOWN, "invalid IP address or owner name \"" + given + "\"");
  }

  /**
   * No address is free.
   *
   * @param excludedBy who reserved addresses of the pool; empty when nobody did
   */
  public static Denial exhausted(
      PoolName pool, IpFamily family, AddressCounts counts, List<String> excludedBy) {
    String withheld = counts.withheld() == 0 ? "" : ", " + counts.withheld() + " withheld";
    String excluded =
        excludedBy.isEmpty()
            ? ""
            : ", " + counts.excluded() + " reserved by " + String.join(", ", excludedBy);
    return lacking(
        AgentError.EXHAUSTED,
        pool,
        family,
        "no "
            + family
            + " address of pool "
            + pool
            + " is free: "
            + counts.inUse()
            + " in use, "
            + counts.cooling()
            + " cooling"
            + withheld
            + excluded);
  }

  /** The node has no addresses of the pool, or not yet. */
  public static Denial poolNotReady(PoolName pool, IpFamily family) {
    String detail = "the node has no " + family + " addresses of pool " + pool;
    return lacking(AgentError.POOL_NOT_READY, pool, family, detail);
  }

  private static Denial lacking(AgentError code, PoolName pool, IpFamily family, String detail) {
    return new Denial(code, detail, Optional.of(new Lack(pool, family)), Optional.empty());
  }

  /** An endpoint cannot keep an address that it had before a restart. */
  public static Denial notRestored(String endpoint, Denial reason) {
    String detail = "endpoint " + endpoint + " cannot keep its address: " + reason.detail;
    return new Denial(reason.code, detail, Optional.empty(), Optional.of(reason));
  }
}
