package io.tidemark.metrics;

import java.util.function.Supplier;

/**
 * Measurements of the allocators of a node (allocators 14). Thread-safe; never blocks. A family is
 * {@code ipv4} or {@code ipv6}; pools are few and named by people.
 */
public interface AllocatorMetrics {
  /**
   * A pool hands out addresses of a family from now on.
   *
   * @param counts its present numbers, from any thread at any time
   */
  void pool(String family, String pool, Supplier<AddressCounts> counts);

  /**
   * A pool consists of blocks that come and go.
   *
   * @param counts its present numbers, from any thread at any time
   */
  void blocks(String family, String pool, Supplier<BlockCounts> counts);

  /** A pool was built anew, because addresses on offer were not handed out. */
  void offerRebuilt();

  /**
   * A request ended with an address of a pool.
   *
   * @param reuseNanos how long ago it was released; negative when that is not known
   */
  void allocated(String family, String pool, long reuseNanos);

  /** An address was released, or a release of one that was not allocated was accepted. */
  void released(String family);

  /** Where the writes of the node's object count. */
  TriggerMetrics sync();

  /**
   * A request for an address ended without one.
   *
   * @param exhausted because the pool has none now; a later request may get one
   */
  void denied(String family, boolean exhausted);

  /**
   * The state of a pool of blocks.
   *
   * @param pending owners that asked for an address and found none
   * @param quarantined addresses that nobody has, and that are not handed out before a release can
   *     no longer be under way
   * @param offeredNotTaken addresses on offer that are not handed out although nothing speaks
   *     against it
   */
  record BlockCounts(int pending, int quarantined, int offeredNotTaken) {}

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
