/**
 * Runs in: operator.
 *
 * <p>Where addresses come from: the pools of the cloud with what is free in them ({@link
 * io.tidemark.provider.kit.pool.PoolLedger}), and in which order requests are tried while a pool
 * answers that it has no room ({@link io.tidemark.provider.kit.pool.Ladder}).
 */
@NullMarked
package io.tidemark.provider.kit.pool;

import org.jspecify.annotations.NullMarked;
