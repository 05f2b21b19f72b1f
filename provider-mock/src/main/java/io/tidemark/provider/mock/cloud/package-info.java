/**
 * Runs in: anywhere.
 *
 * <p>A small cloud in memory: subnets with real accounting, instances with limits, interfaces with
 * addresses, blocks and alias ranges. Latency apart, everything that can go wrong with a request
 * happens at {@link io.tidemark.provider.mock.cloud.MockCloud#request}. It knows nothing of
 * Tidemark's engine; the provider in the package above talks to it as it would to a remote one.
 *
 * <p>Time, randomness and faults are parameters, so the same calls in the same order give the same
 * cloud.
 *
 * <p>Read {@link io.tidemark.provider.mock.cloud.MockCloud} first.
 */
@NullMarked
package io.tidemark.provider.mock.cloud;

import org.jspecify.annotations.NullMarked;
