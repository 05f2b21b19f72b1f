/**
 * Runs in: anywhere.
 *
 * <p>Decides which nodes are tainted because they have no address for a pod and cannot get one.
 * {@link io.tidemark.node.exhaustion.ExhaustedNodes} is the entrance, {@link
 * io.tidemark.node.exhaustion.TaintState} the decision.
 */
@NullMarked
package io.tidemark.node.exhaustion;

import org.jspecify.annotations.NullMarked;
