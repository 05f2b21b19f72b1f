/**
 * Runs in: the build alone.
 *
 * <p>Tables of the store's behaviours on {@code TestStore}, and random operations against {@code
 * StoreModel}.
 */
@NullMarked
package io.tidemark.datastore;

import org.jspecify.annotations.NullMarked;
