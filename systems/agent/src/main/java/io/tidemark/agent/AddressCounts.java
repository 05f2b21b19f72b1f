package io.tidemark.agent;

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
public record AddressCounts(int available, int inUse, int cooling, int excluded, int withheld) {
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
