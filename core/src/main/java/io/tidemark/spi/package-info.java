/**
 * Runs in: operator.
 *
 * <p>What a cloud module implements. {@link io.tidemark.spi.ProviderFactory} is found by {@link
 * java.util.ServiceLoader}; {@link io.tidemark.spi.AllocationImplementation} serves one account,
 * {@link io.tidemark.spi.NodeOperations} one node. A provider is correct when it passes {@code
 * AllocationContract} (engine's test-jar). How to write one: docs/adding-a-provider.md.
 *
 * <p>Threads: plain methods answer from the provider's cache and never block; methods that answer a
 * stage own no thread and reach the cloud through {@link io.tidemark.resilience.CloudCalls} only.
 * Expected endings are values; an exceptional completion is a provider bug and is treated as {@code
 * Unknown}. Nulls: none in, none out.
 *
 * <p>Read {@link io.tidemark.spi.NodeOperations} first.
 */
@NullMarked
package io.tidemark.spi;

import org.jspecify.annotations.NullMarked;
