/**
 * Runs in: the build alone.
 *
 * <p>The operations of Cilium 1.6.
 */
@NullMarked
package io.tidemark.agent.legacy;

import org.jspecify.annotations.NullMarked;
