/**
 * Runs in: the build alone.
 *
 * <p>Inspections of files in memory.
 */
@NullMarked
package io.tidemark.daemon.inspect;

import org.jspecify.annotations.NullMarked;
