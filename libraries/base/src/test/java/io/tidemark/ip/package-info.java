/**
 * Runs in: the build alone.
 *
 * <p>Tables of edge cases, and seeded random comparisons with an independent library and with naive
 * models. Every random test prints its seed in the failure. Read {@link io.tidemark.ip.Seeds}
 * first.
 */
@NullMarked
package io.tidemark.ip;

import org.jspecify.annotations.NullMarked;
