/**
 * Runs in: the build alone.
 *
 * <p>Tables of what a cluster's objects mean.
 */
@NullMarked
package io.tidemark.cluster;

import org.jspecify.annotations.NullMarked;
