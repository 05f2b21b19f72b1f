/**
 * Runs in: tests of the store, most of them on a real API server. Read {@link
 * io.tidemark.kubernetes.store.StoreOnServerTest} first.
 */
@NullMarked
package io.tidemark.kubernetes.store;

import org.jspecify.annotations.NullMarked;
