/**
 * Runs in: anywhere.
 *
 * <p>How fast the emulated API is and what goes wrong with it: request buckets with the figures
 * that AWS documents, others who use them too, latencies, how long reads lag, faults by rule. Coded
 * from AWS's documentation and independent of any client's idea of the same buckets.
 *
 * <p>Read {@link io.tidemark.emulator.ec2.pace.RequestBuckets} first, then {@link
 * io.tidemark.emulator.ec2.pace.Ec2FaultRule}.
 */
@NullMarked
package io.tidemark.emulator.ec2.pace;

import org.jspecify.annotations.NullMarked;
