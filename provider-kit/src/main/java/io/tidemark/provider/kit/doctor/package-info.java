/**
 * Runs in: operator.
 *
 * <p>What {@code doctor} reports in the same way for every cloud.
 */
@NullMarked
package io.tidemark.provider.kit.doctor;

import org.jspecify.annotations.NullMarked;
