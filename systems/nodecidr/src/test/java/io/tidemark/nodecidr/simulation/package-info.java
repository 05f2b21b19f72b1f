/**
 * Runs in: the build alone.
 *
 * <p>Clusters of nodes in virtual time, with operators that crash, lose their lease and end in
 * order, and requests that are late or lost: {@code ClusterSequence} draws what happens from a
 * seed, {@code ClusterJudge} says what must hold.
 */
@NullMarked
package io.tidemark.nodecidr.simulation;

import org.jspecify.annotations.NullMarked;
