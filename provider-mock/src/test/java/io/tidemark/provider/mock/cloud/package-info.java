/**
 * Runs in: anywhere.
 *
 * <p>Tests of the in-memory cloud alone.
 *
 * <p>Read {@link io.tidemark.provider.mock.cloud.MockCloudTest} first.
 */
@NullMarked
package io.tidemark.provider.mock.cloud;

import org.jspecify.annotations.NullMarked;
