/**
 * Runs in: anywhere.
 *
 * <p>An in-memory cloud with real address accounting, and its provider: small on purpose, because a
 * provider for another cloud starts as a copy of this package.
 */
@NullMarked
package io.tidemark.provider.mock;

import org.jspecify.annotations.NullMarked;
