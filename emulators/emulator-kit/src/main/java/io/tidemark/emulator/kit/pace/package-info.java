/**
 * Runs in: anywhere.
 *
 * <p>How fast an emulated API is and what goes wrong with it: token buckets, delays, faults by
 * rule. Read {@link io.tidemark.emulator.kit.pace.TokenBucket} first.
 */
@NullMarked
package io.tidemark.emulator.kit.pace;

import org.jspecify.annotations.NullMarked;
