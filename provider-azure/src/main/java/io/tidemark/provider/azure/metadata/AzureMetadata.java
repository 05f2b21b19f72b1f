package io.tidemark.provider.azure.metadata;

import io.tidemark.provider.kit.start.MetadataUnavailable;

/** The metadata of the machine that we run on (Z48). Thread-safe. */
@FunctionalInterface
public interface AzureMetadata {
  /** The name of the cloud; one request, which blocks for two seconds at most. */
  String cloudName() throws MetadataUnavailable;
}
