/**
 * Runs in: the build alone.
 *
 * <p>The tables of the plans, on {@code PlannedCard}: a card that does what its plans say.
 */
@NullMarked
package io.tidemark.datastore.plan;

import org.jspecify.annotations.NullMarked;
