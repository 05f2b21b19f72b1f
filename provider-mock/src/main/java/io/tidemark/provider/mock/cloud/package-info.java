/**
 * Runs in: anywhere.
 *
 * <p>A small cloud in memory: subnets with real accounting, instances with limits, interfaces with
 * addresses, blocks and alias ranges. It knows nothing of Tidemark's engine; the provider above
 * talks to it as to a remote one. Time, randomness and faults are parameters, so the same calls in
 * the same order give the same cloud. Read {@link io.tidemark.provider.mock.cloud.MockCloud} first.
 */
@NullMarked
package io.tidemark.provider.mock.cloud;

import org.jspecify.annotations.NullMarked;
