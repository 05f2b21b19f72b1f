/**
 * Runs in: operator.
 *
 * <p>What the machine that we run on tells of itself. Read {@link
 * io.tidemark.provider.azure.metadata.AzureMetadata} first.
 */
@NullMarked
package io.tidemark.provider.azure.metadata;

import org.jspecify.annotations.NullMarked;
