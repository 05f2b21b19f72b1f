/**
 * Runs in: command line.
 *
 * <p>Finds the operator that leads in a cluster and asks it for its status; without an answer, what
 * the objects of the nodes show.
 *
 * <p>Read {@link io.tidemark.kubernetes.leader.LeaderSearch} first.
 */
@NullMarked
package io.tidemark.kubernetes.leader;

import org.jspecify.annotations.NullMarked;
