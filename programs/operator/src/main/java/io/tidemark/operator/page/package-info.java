/**
 * Runs in: operator.
 *
 * <p>The page at {@code /}: its files, and the stream of changes that keeps it up to date.
 *
 * <p>Read {@link io.tidemark.operator.page.PageStreams} first.
 */
@NullMarked
package io.tidemark.operator.page;

import org.jspecify.annotations.NullMarked;
