/**
 * Runs in: the build alone.
 *
 * <p>What a scrape shows, name by name, and that the page for people says the same. Read {@link
 * io.tidemark.metrics.MetersTest} first.
 */
@NullMarked
package io.tidemark.metrics;

import org.jspecify.annotations.NullMarked;
