package io.tidemark.agent;

import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that one shard hands out, numbered from 0, and which of them are taken. It knows no
 * owners, exclusions or pauses: a shard keeps those by position.
 *
 * <p>Mutable and not thread-safe: the lock of its shard guards it. Nobody else may call it once it
 * has been given to an {@link Ipam}.
 */
public interface Allocator {
  /** The family of all its addresses. */
  IpFamily family();

  /** How many addresses it has, taken or not; positions are below. */
  int capacity();

  /** How many of them are neither taken nor withheld. */
  int freeCount();

  /** The position of an address; -1 when it is none of these, as every one of the other family. */
  int position(IpAddress ip);

  /** The address at a position. */
  IpAddress address(int position);

  /**
   * From the position of an address in an earlier allocator to the one that it has here, or -1;
   * asked in ascending order.
   */
  default IntUnaryOperator positionsOf(Allocator earlier) {
    return position -> position(earlier.address(position));
  }

  /** Why an address without a position cannot be allocated. */
  Denial refusal(IpAddress ip);

  /**
   * Why an owner does not get the address at a position now, although nobody has it; null when it
   * may have it.
   */
  default @Nullable Denial withheld(int position, String owner) {
    return null;
  }

  /** The position that is kept for an owner; -1 when there is none. */
  default int reservedFor(String owner) {
    return -1;
  }

  /** The interface of the address at a position, where addresses belong to interfaces. */
  default Optional<InterfaceDetails> details(int position) {
    return Optional.empty();
  }

  /** Why {@link #takeNext} found nothing, if not because everything is in use; null then. */
  default @Nullable Denial unable() {
    return null;
  }

  /** Takes a position, even one that is withheld; false when it is taken already. */
  boolean take(int position);

  /** Takes the position that is to be handed out next; -1 when all are taken or withheld. */
  int takeNext();

  /** Gives back a position that is taken. */
  void free(int position);

  /** Where the addresses come from, such as {@code 10.0.0.0/24}; for people. */
  String origin();
}
