package io.tidemark.provider.kit.pool;

/**
 * One way to request addresses: either blocks or singles of one pool.
 *
 * @param blocks 0 for singles
 * @param singles 0 with blocks, or for a new interface with only its primary address
 * @param label the rung's name in metrics and logs
 */
public record Rung<S>(Pool<S> pool, int blocks, int singles, String label) {
  /** Pod addresses that it adds, including all addresses of blocks. */
  public int addresses() {
    return blocks * Pool.BLOCK_SIZE + singles;
  }
}
