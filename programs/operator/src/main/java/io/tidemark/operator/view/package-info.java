/**
 * Runs in: operator.
 *
 * <p>The systems that the program runs, each with what is shown of it: the engine, and the
 * assignment of pod CIDRs or ids to nodes. Commands know a {@code SystemView} and not which system
 * it is.
 *
 * <p>Read {@link io.tidemark.operator.view.SystemView} first.
 */
@NullMarked
package io.tidemark.operator.view;

import org.jspecify.annotations.NullMarked;
