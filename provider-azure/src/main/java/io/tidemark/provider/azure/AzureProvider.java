package io.tidemark.provider.azure;

import io.tidemark.metrics.Metric;
import io.tidemark.provider.azure.doctor.AzureCheckup;
import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.identity.AzureCloud;
import io.tidemark.provider.azure.ipam.AzureAccount;
import io.tidemark.provider.azure.ipam.AzureAllocation;
import io.tidemark.provider.azure.ipam.AzureError;
import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.ArmCallLimits;
import io.tidemark.provider.azure.network.Transport;
import io.tidemark.provider.azure.start.AzureConnection;
import io.tidemark.provider.azure.start.CloudDiscovery;
import io.tidemark.provider.azure.start.HttpAzureMetadataJson;
import io.tidemark.provider.kit.start.StartupGate;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Checkup;
import io.tidemark.spi.ProviderContext;
import java.util.Map;

/** Puts the provider together from its settings; sends nothing. */
final class AzureProvider {
  /** One process works for one principal alone, so the buckets need no other name. */
  private static final String ACCOUNT = "own";

  private final ProviderContext context;
  private final AzureConfig config;
  private final Cancellation shutdown = new Cancellation();
  private final CloudDiscovery discovery;
  private final AzureConnection connection;
  private final AccessTokens tokens;

  AzureProvider(ProviderContext context, Map<String, String> environment) {
    this.context = context;
    this.config = new AzureConfigReader(context.config(), environment).read();
    this.discovery =
        new CloudDiscovery(
            config.cloud(),
            new HttpAzureMetadataJson(config.metadata(), HttpAzureMetadataJson.TIMEOUT)::cloudName,
            context.calls().create(CloudDiscovery.policy()),
            context.scheduler(),
            context.notices(),
            shutdown);
    this.connection =
        new AzureConnection(
            () -> withAuthority(discovery.startup().known()),
            config.credential(),
            new Transport(
                config.caBundle(),
                config.metadata(),
                (bucket, count) ->
                    context.metrics().gauge(Metric.API_REMAINING, bucket).set(count)),
            context.scheduler().time());
    this.tokens =
        new AccessTokens(
            gate(AccessTokens.policy("authority")),
            context.scheduler(),
            connection::token,
            shutdown);
  }

  AllocationImplementation allocation() {
    if (config.ipam().usePrimaryAddress()) {
      context.notices().report(AzureError.PRIMARY_SERVES_PODS, "azure-use-primary-address is set");
    }
    return new AzureAllocation(
        new AzureAccount(
            this::arm,
            gate(ArmCallLimits.of(ACCOUNT, config.apiShare())),
            tokens,
            config.ipam(),
            context.scheduler(),
            context.random(),
            context.metrics(),
            context.notices()),
        shutdown::cancel);
  }

  Checkup checkup() {
    return new AzureCheckup(
        config.credential(),
        config.ipam().subnetReserve(),
        () -> discovery.startup().begin().thenApply(found -> found.map(this::withAuthority)),
        this::arm,
        tokens,
        gate(AzureCheckup.policy(ACCOUNT, config.apiShare())),
        context.scheduler().time(),
        shutdown::cancel);
  }

  private ArmApi arm() {
    return connection.arm(tokens::now, config.ipam().blocksOnScaleSets());
  }

  private AzureCloud withAuthority(AzureCloud found) {
    return config.authority().map(found::withAuthority).orElse(found);
  }

  private CloudCalls gate(CallPolicy policy) {
    return new StartupGate(
        discovery.startup(), context.calls().create(policy), context.scheduler());
  }
}
