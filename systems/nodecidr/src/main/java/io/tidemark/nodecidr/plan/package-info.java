/**
 * Runs in: operator.
 *
 * <p>What ranges are good for, before a cluster uses them: how many nodes they serve, which family
 * ends first, and what exclusions cost.
 *
 * <p>Read {@link io.tidemark.nodecidr.plan.CapacityPlan} first.
 */
@NullMarked
package io.tidemark.nodecidr.plan;

import org.jspecify.annotations.NullMarked;
