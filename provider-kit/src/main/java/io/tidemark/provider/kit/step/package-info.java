/**
 * Runs in: operator.
 *
 * <p>What is done to the cloud for a node, step by step: each step keeps inventory and pools in
 * agreement with what was answered, and with what may have happened when an answer was lost. {@link
 * io.tidemark.provider.kit.step.AddressAssignment} is the one that every cloud needs.
 */
@NullMarked
package io.tidemark.provider.kit.step;

import org.jspecify.annotations.NullMarked;
