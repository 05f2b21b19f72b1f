/**
 * Runs in: anywhere.
 *
 * <p>Tests of the mock provider, step by step on one thread.
 *
 * <p>Read {@link io.tidemark.provider.mock.ProviderWorld} first.
 */
@NullMarked
package io.tidemark.provider.mock;

import org.jspecify.annotations.NullMarked;
