/**
 * Runs in: the build alone.
 *
 * <p>Tables of what a cluster's objects mean, and what every store of Nodes promises.
 */
@NullMarked
package io.tidemark.cluster;

import org.jspecify.annotations.NullMarked;
