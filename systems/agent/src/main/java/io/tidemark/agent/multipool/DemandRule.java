package io.tidemark.agent.multipool;

/** How many addresses a pool shall have, given how many are used (allocators 5.2). */
public enum DemandRule {
  /**
   * Whole multiples of the pre-allocation, with at least one of it free: the demand changes rarely.
   */
  STEPS {
    @Override
    public int wanted(int used, int preAllocation) {
      if (preAllocation == 0) {
        return used;
      }
      long steps = (long) used / preAllocation + (used % preAllocation == 0 ? 1 : 2);
      return saturated(steps * preAllocation);
    }
  },

  /** Exactly the pre-allocation free: what an operator of interfaces expects. */
  LINEAR {
    @Override
    public int wanted(int used, int preAllocation) {
      return saturated((long) used + preAllocation);
    }
  };

  /**
   * The addresses that the pool shall have.
   *
   * @param used addresses in use, plus unserved requests; 0 or more
   * @param preAllocation free addresses to have at hand; 0 or more
   */
  public abstract int wanted(int used, int preAllocation);

  static int saturated(long addresses) {
    return (int) Math.min(addresses, Integer.MAX_VALUE);
  }
}
