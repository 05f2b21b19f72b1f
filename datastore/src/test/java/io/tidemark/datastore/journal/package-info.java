/**
 * Runs in: the build alone.
 *
 * <p>Journals in memory, cut and damaged at every byte.
 */
@NullMarked
package io.tidemark.datastore.journal;

import org.jspecify.annotations.NullMarked;
