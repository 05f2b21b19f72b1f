/**
 * Runs in: anywhere.
 *
 * <p>The only package where time passes. Everything that reads a clock, waits or runs a blocking
 * request does it through {@link io.tidemark.time.TimeSource}, {@link
 * io.tidemark.time.TaskScheduler} and {@link io.tidemark.time.EffectRunner}; {@code VirtualTime}
 * implements all three, so a whole cluster runs on one thread.
 *
 * <p>Read {@link io.tidemark.time.TaskScheduler} first.
 */
@NullMarked
package io.tidemark.time;

import org.jspecify.annotations.NullMarked;
