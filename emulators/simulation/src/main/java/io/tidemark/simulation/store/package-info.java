/**
 * Runs in: anywhere.
 *
 * <p>The API server of a simulated cluster as its clients meet it: over a line that loses requests
 * and answers.
 *
 * <p>Read {@link io.tidemark.simulation.store.StoreLine} first.
 */
@NullMarked
package io.tidemark.simulation.store;

import org.jspecify.annotations.NullMarked;
