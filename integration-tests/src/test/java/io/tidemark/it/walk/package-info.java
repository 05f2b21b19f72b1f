/**
 * Runs in: anywhere.
 *
 * <p>The walk of docs/internals/walk.md as a test that prints itself.
 *
 * <p>Read {@link io.tidemark.it.walk.NodeWalkTest} first.
 */
@NullMarked
package io.tidemark.it.walk;

import org.jspecify.annotations.NullMarked;
