package io.tidemark.provider.azure;

import io.tidemark.provider.azure.identity.AzureCloud;
import io.tidemark.provider.azure.identity.CredentialChoice;
import io.tidemark.provider.azure.ipam.AzureSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Settings of the provider {@code azure} (Z45, Z46).
 *
 * @param cloud {@code azure-cloud} with its endpoints; empty to ask the metadata service
 * @param authority {@code AZURE_AUTHORITY_HOST}, which replaces the cloud's
 * @param metadata {@code azure-metadata-endpoint}
 * @param caBundle {@code azure-ca-bundle}
 * @param credential chosen by settings and environment
 * @param apiShare {@code azure-api-share}
 * @param ipam what the allocation itself needs
 */
record AzureConfig(
    Optional<AzureCloud> cloud,
    Optional<URI> authority,
    URI metadata,
    Optional<Path> caBundle,
    CredentialChoice credential,
    double apiShare,
    AzureSettings ipam) {}
