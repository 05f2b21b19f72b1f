/**
 * Runs in: operator.
 *
 * <p>Removes CiliumNodes whose Kubernetes node is gone (node-manager 5.9).
 *
 * <p>Read {@link io.tidemark.kubernetes.gc.StaleNodes} first.
 */
@NullMarked
package io.tidemark.kubernetes.gc;

import org.jspecify.annotations.NullMarked;
