package io.tidemark.provider.kit.pool;

/**
 * One way to ask for addresses: either blocks or singles of one pool.
 *
 * @param blocks 0 when singles are asked for
 * @param singles 0 with blocks, or when a new interface shall have its primary address alone
 * @param label the rung's name in metrics and logs
 */
public record Rung<S>(Pool<S> pool, int blocks, int singles, String label) {
  /** Pod addresses it brings, blocks counted whole. */
  public int addresses() {
    return blocks * Pool.BLOCK_SIZE + singles;
  }
}
