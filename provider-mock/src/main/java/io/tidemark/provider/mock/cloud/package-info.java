/**
 * Runs in: anywhere.
 *
 * <p>An in-memory cloud with the semantics of EC2 network interfaces that bite: real address
 * accounting, slot limits, aligned blocks, request tokens, token buckets, reads that lag, answers
 * that get lost. It knows nothing of Tidemark's engine; the provider in the package above talks to
 * it as it would to a remote one.
 *
 * <p>Time, randomness and faults are parameters, so the same calls in the same order give the same
 * cloud.
 *
 * <p>Read {@link io.tidemark.provider.mock.cloud.MockCloud} first.
 */
@NullMarked
package io.tidemark.provider.mock.cloud;

import org.jspecify.annotations.NullMarked;
