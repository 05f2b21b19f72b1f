/**
 * Runs in: operator.
 *
 * <p>Whether nodes that exist fit the settings: their ids, what their objects say that follows from
 * the ids, and the subnets and addresses that they use.
 *
 * <p>Read {@link io.tidemark.nodeid.plan.NodeIdCheck} first.
 */
@NullMarked
package io.tidemark.nodeid.plan;

import org.jspecify.annotations.NullMarked;
