/**
 * Runs in: operator.
 *
 * <p>How a system runs on the objects of a backend, whatever it does with them: threads, the turn
 * that another leader can delay, readiness, and the end in order within a bound. A system is a
 * {@code SystemWork}, made when its turn has come. {@code KeyedReconciler} carries out what a
 * system decides about objects by name.
 *
 * <p>Read {@link io.tidemark.cluster.run.SystemRun} first.
 */
@NullMarked
package io.tidemark.cluster.run;

import org.jspecify.annotations.NullMarked;
