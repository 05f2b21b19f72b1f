package io.tidemark.provider.azure;

import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.identity.AzureCloud;
import io.tidemark.provider.azure.ipam.AzureAllocation;
import io.tidemark.provider.azure.ipam.AzureError;
import io.tidemark.provider.azure.metadata.HttpAzureMetadata;
import io.tidemark.provider.azure.network.ArmCallLimits;
import io.tidemark.provider.azure.network.Transport;
import io.tidemark.provider.azure.start.AzureConnection;
import io.tidemark.provider.azure.start.CloudDiscovery;
import io.tidemark.provider.azure.start.MetadataCalls;
import io.tidemark.provider.kit.start.StartupGate;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import java.util.Map;
import java.util.function.Supplier;

/** Puts the provider together from its settings; sends nothing. */
final class AzureProvider {
  /** One process works for one principal alone, so the buckets need no other name. */
  private static final String ACCOUNT = "own";

  private AzureProvider() {}

  static AllocationImplementation create(ProviderContext context, Map<String, String> environment) {
    AzureConfig config = AzureConfig.read(context.config(), environment);
    Cancellation shutdown = new Cancellation();
    CloudDiscovery discovery =
        new CloudDiscovery(
            config.cloud(),
            new HttpAzureMetadata(config.metadata(), HttpAzureMetadata.TIMEOUT),
            context.calls().create(MetadataCalls.policy()),
            context.scheduler(),
            context.notices(),
            shutdown);
    Supplier<AzureCloud> cloud =
        () -> {
          AzureCloud found = discovery.startup().known();
          return config.authority().map(found::withAuthority).orElse(found);
        };
    AzureConnection connection =
        new AzureConnection(
            cloud,
            config.credential(),
            new Transport(config.caBundle(), config.metadata()),
            context.scheduler().time());
    AccessTokens tokens =
        new AccessTokens(
            gate(context, discovery, AccessTokens.policy("authority")),
            context.scheduler(),
            connection::token,
            shutdown);
    if (config.ipam().usePrimaryAddress()) {
      context.notices().report(AzureError.PRIMARY_SERVES_PODS, "azure-use-primary-address is set");
    }
    return new AzureAllocation(
        () -> connection.arm(tokens::now, config.ipam().blocksOnScaleSets()),
        gate(context, discovery, ArmCallLimits.of(ACCOUNT, config.apiShare())),
        tokens,
        config.ipam(),
        context.scheduler(),
        context.random(),
        context.metrics(),
        context.notices(),
        shutdown::cancel);
  }

  private static CloudCalls gate(
      ProviderContext context, CloudDiscovery discovery, CallPolicy policy) {
    return new StartupGate(
        discovery.startup(), context.calls().create(policy), context.scheduler());
  }
}
