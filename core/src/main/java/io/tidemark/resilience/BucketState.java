package io.tidemark.resilience;

import java.time.Duration;

/**
 * One token bucket of a cloud account at one moment. Immutable.
 *
 * @param account account and region, as in {@link CallPolicy}
 * @param operation name of the {@link CallKind}, or of the limit that several kinds share
 * @param tokens requests that can be sent at once; below zero for a while after a throttle
 * @param capacity the most tokens that it holds now
 * @param callsPerSecond its refill: documented, or learned from the cloud
 * @param waiting requests that wait for a token
 * @param throttled whether the cloud throttled a request within the last 30 s
 * @param closed for how long the cloud asked for no request; zero when it did not
 */
public record BucketState(
    String account,
    String operation,
    double tokens,
    double capacity,
    double callsPerSecond,
    int waiting,
    boolean throttled,
    Duration closed) {}
