/**
 * Runs in: anywhere.
 *
 * <p>Values and small machinery that tests of every module share.
 *
 * <p>Read {@link io.tidemark.testing.Samples} first.
 */
@NullMarked
package io.tidemark.testing;

import org.jspecify.annotations.NullMarked;
