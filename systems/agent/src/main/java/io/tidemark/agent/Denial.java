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
 */
public sealed interface Denial {
  /** The published code. */
  ErrorCode code();

  /** Description of the refusal, with the offending value; without code and remedy. */
  String detail();

  /** Whether the same request may succeed later without anybody changing anything. */
  default boolean retryable() {
    return code().kind() == Kind.RETRYABLE || code().kind() == Kind.CAPACITY;
  }

  /** The denial that led to this one; empty when none did. */
  default Optional<Denial> cause() {
    return Optional.empty();
  }

  /** Whether this denial, its cause or a cause of that equals {@code other}. */
  default boolean causedBy(Denial other) {
    return equals(other) || cause().filter(each -> each.causedBy(other)).isPresent();
  }

  /** The whole message: code, what was refused, and what to do. */
  default String text() {
    return code().label() + " " + code().name() + ": " + detail() + ". " + code().remedy();
  }

  /** An address of a family that the agent does not serve. */
  record FamilyDisabled(IpFamily family) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.FAMILY_DISABLED;
    }

    @Override
    public String detail() {
      return family + " allocation disabled";
    }
  }

  /** Any address was asked for, of a family that the agent does not serve. */
  record FamilyUnavailable(IpFamily family) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.FAMILY_UNAVAILABLE;
    }

    @Override
    public String detail() {
      return family + " allocator not available";
    }
  }

  /** A request about one address names no pool. */
  record PoolRequired(IpAddress ip) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.POOL_REQUIRED;
    }

    @Override
    public String detail() {
      return "the pool of " + ip + " must be named, also when an address is restored";
    }
  }

  /** A text that is no address. */
  record InvalidAddress(String given) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.INVALID_ADDRESS;
    }

    @Override
    public String detail() {
      return "\"" + given + "\" is not an IP address";
    }
  }

  /** Somebody reserved the address. */
  record Excluded(IpAddress ip, PoolName pool, String reservingOwner) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.EXCLUDED;
    }

    @Override
    public String detail() {
      return ip + " of pool " + pool + " is reserved by " + reservingOwner;
    }
  }

  /** The address is in use. */
  record AlreadyAllocated(IpAddress ip, String owner) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.ALREADY_ALLOCATED;
    }

    @Override
    public String detail() {
      return ip + " is in use by " + owner;
    }
  }

  /** The address is not one that the range hands out. */
  record NotInRange(IpAddress ip, String range) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.NOT_IN_RANGE;
    }

    @Override
    public String detail() {
      return ip + " is not an address that " + range + " hands out";
    }
  }

  /**
   * No address is free.
   *
   * @param excludedBy who reserved addresses of the pool; empty when nobody did
   */
  record Exhausted(PoolName pool, IpFamily family, AddressCounts counts, List<String> excludedBy)
      implements Denial {
    public Exhausted {
      excludedBy = List.copyOf(excludedBy);
    }

    @Override
    public AgentError code() {
      return AgentError.EXHAUSTED;
    }

    @Override
    public String detail() {
      String all = "no " + family + " address of pool " + pool + " is free: ";
      String excluded =
          excludedBy.isEmpty()
              ? ""
              : ", " + counts.excluded() + " reserved by " + String.join(", ", excludedBy);
      String withheld = counts.withheld() == 0 ? "" : ", " + counts.withheld() + " withheld";
      return all
          + counts.inUse()
          + " in use, "
          + counts.cooling()
          + " cooling"
          + withheld
          + excluded;
    }
  }

  /** The node's pool does not have the address, or not yet. */
  record NotAvailableInPool(IpAddress ip) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.NOT_AVAILABLE_IN_POOL;
    }

    @Override
    public String detail() {
      return "IP " + ip + " is not available";
    }
  }

  /** The operator takes the address back, or has taken it. */
  record InReleaseHandshake(IpAddress ip, HandshakeState state) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.IN_RELEASE_HANDSHAKE;
    }

    @Override
    public String detail() {
      return ip + " is " + state.wire() + " in the node's object";
    }
  }

  /** There is no object of the node, or it is that of another instance. */
  record NodeUnavailable(String node) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.NODE_UNAVAILABLE;
    }

    @Override
    public String detail() {
      return "there is no object of node " + node + " and this instance";
    }
  }

  /** The interface of the address is not published yet, or not on this machine. */
  record InterfaceUnknown(IpAddress ip, String id) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.INTERFACE_UNKNOWN;
    }

    @Override
    public String detail() {
      return "interface \"" + id + "\" of " + ip + " is not in the node's status or not here";
    }
  }

  /** The node has no addresses of the pool, or not yet. */
  record PoolNotReady(PoolName pool, IpFamily family) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.POOL_NOT_READY;
    }

    @Override
    public String detail() {
      return "the node has no " + family + " addresses of pool " + pool;
    }
  }

  /** The agent hands out no addresses, because a plugin of the data path does. */
  record Unsupported() implements Denial {
    @Override
    public AgentError code() {
      return AgentError.UNSUPPORTED;
    }

    @Override
    public String detail() {
      return "addresses are delegated to a plugin";
    }
  }

  /** The node has addresses, and hands none of them out for now. */
  record Withheld(ErrorCode code, String detail) implements Denial {}

  /** No lease of the address runs. */
  record LeaseNotFound(IpAddress ip, PoolName pool) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.LEASE_NOT_FOUND;
    }

    @Override
    public String detail() {
      return "no lease of " + ip + " in pool " + pool + " runs";
    }
  }

  /** Another lease of the address runs than the one named. */
  record LeaseMismatch(IpAddress ip, PoolName pool, UUID named) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.LEASE_MISMATCH;
    }

    @Override
    public String detail() {
      return "the lease of " + ip + " in pool " + pool + " that runs is not " + named;
    }
  }

  /** A lease of the address runs already. */
  record LeaseExists(IpAddress ip, PoolName pool) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.LEASE_EXISTS;
    }

    @Override
    public String detail() {
      return "a lease of " + ip + " in pool " + pool + " runs already";
    }
  }

  /** The address is not in use. */
  record NotAllocated(IpAddress ip, PoolName pool) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.NOT_ALLOCATED;
    }

    @Override
    public String detail() {
      return ip + " of pool " + pool + " is not allocated";
    }
  }

  /** The pool of an owner's addresses is not known. */
  record MetadataFailure(String owner, String reason) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.METADATA_FAILURE;
    }

    @Override
    public String detail() {
      return "the pool of " + owner + " is not known: " + reason;
    }
  }

  /** A text that is no address family. */
  record UnknownFamily(String given) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.FAMILY_UNKNOWN;
    }

    @Override
    public String detail() {
      return "\"" + given + "\" is not an address family";
    }
  }

  /** A text that is neither an address nor the owner of one. */
  record UnknownOwner(String given) implements Denial {
    @Override
    public AgentError code() {
      return AgentError.OWNER_UNKNOWN;
    }

    @Override
    public String detail() {
      return "invalid IP address or owner name \"" + given + "\"";
    }
  }

  /** An endpoint cannot keep an address that it had before a restart. */
  record NotRestored(String endpoint, Denial reason) implements Denial {
    @Override
    public ErrorCode code() {
      return reason.code();
    }

    @Override
    public String detail() {
      return "endpoint " + endpoint + " cannot keep its address: " + reason.detail();
    }

    @Override
    public Optional<Denial> cause() {
      return Optional.of(reason);
    }
  }
}
