/**
 * Runs in: anywhere.
 *
 * <p>The whole path: operators in processes of their own, a real API server, an EC2, and agents
 * that take addresses and give them back. Read {@link io.tidemark.it.cluster.WholePathTest} first.
 */
@NullMarked
package io.tidemark.it.cluster;

import org.jspecify.annotations.NullMarked;
