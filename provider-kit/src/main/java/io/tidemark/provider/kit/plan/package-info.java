/**
 * Runs in: operator.
 *
 * <p>What to do next for a node, decided from what is known and by pure functions: how much room
 * its interfaces have ({@link io.tidemark.provider.kit.plan.SlotModel}), and which interface is
 * filled or created ({@link io.tidemark.provider.kit.plan.AllocationPlanner}).
 */
@NullMarked
package io.tidemark.provider.kit.plan;

import org.jspecify.annotations.NullMarked;
