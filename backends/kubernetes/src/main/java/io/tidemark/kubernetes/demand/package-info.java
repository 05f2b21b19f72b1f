/**
 * Runs in: operator, agent.
 *
 * <p>What pods of the cluster ask for, kept small: of a hundred thousand pods only those that wait
 * are held. An agent knows the pods of its node alone.
 *
 * <p>Read {@link io.tidemark.kubernetes.demand.ClusterPods} first.
 */
@NullMarked
package io.tidemark.kubernetes.demand;

import org.jspecify.annotations.NullMarked;
