/**
 * Runs in: operator.
 *
 * <p>The provider for Azure: pod addresses on network interfaces of virtual machines and of
 * instances of scale sets. Its settings are here, the door to Azure Resource Manager is in {@code
 * network}, credentials are in {@code identity}, the decisions and sagas are in {@code ipam}, and
 * what is asked before anything else is in {@code start}.
 *
 * <p>Read {@link io.tidemark.provider.azure.AzureProviderFactory} first.
 */
@NullMarked
package io.tidemark.provider.azure;

import org.jspecify.annotations.NullMarked;
