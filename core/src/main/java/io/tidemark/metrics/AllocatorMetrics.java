package io.tidemark.metrics;

import java.util.function.Supplier;

/**
 * What the allocators of a node measure (allocators 14). Thread-safe; never blocks. A family is
 * {@code ipv4} or {@code ipv6}; pools are few and named by people.
 */
public interface AllocatorMetrics {
  /**
   * A pool hands out addresses of a family from now on.
   *
   * @param counts its present numbers, from any thread at any time
   */
  void pool(String family, String pool, Supplier<AddressCounts> counts);

  /** An address was allocated. */
  void allocated(String family);

  /** An address was released, or a release of one that was not allocated was accepted. */
  void released(String family);

  /** A request for an address ended. */
  void attempted(String family, Outcome outcome);

  /** How a request for an address ended. */
  enum Outcome {
    /** With an address. */
    SUCCESS,
    /** Without, because the pool has none now; a later request may get one. */
    EXHAUSTED,
    /** Without, for another reason. */
    ERROR
  }

  /**
   * The addresses of one pool and family, each counted once.
   *
   * @param available free to be allocated
   * @param inUse allocated
   * @param cooling released, and kept from other owners for a while
   * @param excluded never allocated, because somebody reserved them
   * @param withheld not allocated now, because the operator takes them back, their interface is not
   *     here, or the node's object reserves them for one owner
   */
  record AddressCounts(int available, int inUse, int cooling, int excluded, int withheld) {
    /** Without an address that is withheld. */
    public AddressCounts(int available, int inUse, int cooling, int excluded) {
      this(available, inUse, cooling, excluded, 0);
    }

    /** The addresses that are not available: in use or cooling. */
    public int used() {
      return inUse + cooling;
    }

    /** All but the excluded ones. */
    public int capacity() {
      return available + used() + withheld;
    }
  }
}
