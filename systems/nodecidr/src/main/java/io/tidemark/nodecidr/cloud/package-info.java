/**
 * Runs in: operator.
 *
 * <p>What follows for a node from the ranges that a cloud routes to its instance: {@code CloudStep}
 * decides from its {@code View}, what cloud and node show, and does nothing. {@code CloudSource} is
 * the cloud. The package {@code controller} acts.
 *
 * <p>Read {@link io.tidemark.nodecidr.cloud.CloudStep} first.
 */
@NullMarked
package io.tidemark.nodecidr.cloud;

import org.jspecify.annotations.NullMarked;
