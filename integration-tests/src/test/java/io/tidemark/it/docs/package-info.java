/**
 * Runs in: anywhere.
 *
 * <p>What the documents promise besides behaviour: commands that run, links that lead somewhere.
 *
 * <p>Read {@link io.tidemark.it.docs.BlocksTest} first.
 */
@NullMarked
package io.tidemark.it.docs;

import org.jspecify.annotations.NullMarked;
