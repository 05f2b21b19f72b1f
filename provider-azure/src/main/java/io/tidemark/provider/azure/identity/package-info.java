/**
 * Runs in: operator.
 *
 * <p>Who we are to Azure: which credential is used ({@link
 * io.tidemark.provider.azure.identity.CredentialChoice}), in which cloud ({@link
 * io.tidemark.provider.azure.identity.AzureCloud}), and the token that all requests share ({@link
 * io.tidemark.provider.azure.identity.AccessTokens}).
 */
@NullMarked
package io.tidemark.provider.azure.identity;

import org.jspecify.annotations.NullMarked;
