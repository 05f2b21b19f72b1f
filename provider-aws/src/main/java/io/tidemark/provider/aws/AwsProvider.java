package io.tidemark.provider.aws;

import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.SharedKey;
import io.tidemark.provider.aws.doctor.AwsCheckup;
import io.tidemark.provider.aws.doctor.CheckupSettings;
import io.tidemark.provider.aws.doctor.Feature;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Clients;
import io.tidemark.provider.aws.ec2.RegionChoice;
import io.tidemark.provider.aws.eni.EniAllocation;
import io.tidemark.provider.aws.limits.InstanceTypeLimits;
import io.tidemark.provider.aws.metadata.HttpInstanceMetadata;
import io.tidemark.provider.aws.start.StartupDiscovery;
import io.tidemark.provider.aws.start.StartupRequests;
import io.tidemark.provider.kit.start.StartupGate;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Checkup;
import io.tidemark.spi.ProviderContext;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the provider together from its settings; sends nothing. */
final class AwsProvider {
  private static final Logger LOG = LoggerFactory.getLogger(AwsProvider.class);

  /** The value of {@code cluster-name} when nobody set it; separates no clusters of an account. */
  private static final String UNNAMED = "default";

  private AwsProvider() {}

  static AllocationImplementation create(ProviderContext context) {
    AwsConfig config = AwsConfig.read(context.config());
    config.warnings().forEach(warning -> LOG.warn("{}", warning));
    Optional<String> region = RegionChoice.named(config.region());
    CloudCalls calls =
        context
            .calls()
            .create(
                StartupRequests.with(
                    Ec2CallLimits.of(config.account(), region.orElse(""), config.apiShare())));
    int workers = SharedKey.workers(new ConfigReader(context.config(), new ConfigProblems()));
    StartupDiscovery start =
        new StartupDiscovery(
            region,
            cluster(context.cluster()),
            config.collectUnnamed() ? UNNAMED : "",
            in -> Ec2Clients.open(config.connection(), in, workers),
            HttpInstanceMetadata.at(config.metadata(), RegionChoice.isMetadataDisabled()),
            calls,
            context.scheduler(),
            context.notices());
    StartupGate door = new StartupGate(start.startup(), calls, context.scheduler());
    CloudCalls network =
        config
            .connection()
            .networkRole()
            .<CloudCalls>map(
                role ->
                    new StartupGate(
                        start.startup(),
                        context
                            .calls()
                            .create(
                                Ec2CallLimits.ofNetworks(
                                    role.accountId(), region.orElse(""), config.apiShare())),
                        context.scheduler()))
            .orElse(door);
    return new EniAllocation(
            start::ec2,
            network,
            door,
            config.eni(),
            start::cluster,
            new InstanceTypeLimits(
                config.limits(),
                () -> start.ec2().as(true),
                door,
                context.scheduler(),
                context.metrics()),
            context.scheduler(),
            context.metrics(),
            start.place(),
            start::close)
        .reportingTo(context.notices());
  }

  static Checkup checkup(ProviderContext context) {
    AwsConfig config = AwsConfig.read(context.config());
    Optional<String> region = RegionChoice.named(config.region());
    ConfigReader shared = new ConfigReader(context.config(), new ConfigProblems());
    Optional<String> cluster = cluster(context.cluster());
    CheckupSettings settings =
        new CheckupSettings(
            region,
            cluster,
            config.connection(),
            config.metadata(),
            features(SharedKey.RELEASE_EXCESS_IPS.read(shared), config, cluster.isEmpty()),
            config.eni().subnetIds(),
            config.eni().tags());
    return new AwsCheckup(
        settings,
        in -> Ec2Clients.open(config.connection(), in, SharedKey.workers(shared)),
        HttpInstanceMetadata.at(config.metadata(), RegionChoice.isMetadataDisabled()),
        context.calls().create(policy(config.account(), region, config)),
        context.calls().create(policy("network", region, config)),
        context.scheduler().time());
  }

  private static Set<Feature> features(boolean release, AwsConfig config, boolean unnamed) {
    Map<Feature, Boolean> used =
        Map.of(
            Feature.RELEASE, release,
            Feature.INTERFACE_RELEASE, config.eni().options().releaseInterfaces(),
            Feature.IPV6, config.eni().ipv6(),
            Feature.CLUSTER_FROM_TAG, unnamed,
            Feature.TWO_ACCOUNTS, config.connection().networkRole().isPresent(),
            Feature.SECURITY_GROUPS, config.eni().options().reconcileGroups());
    return used.keySet().stream().filter(used::get).collect(Collectors.toSet());
  }

  private static CallPolicy policy(String account, Optional<String> region, AwsConfig config) {
    return AwsCheckup.policy(account, region.orElse(""), config.apiShare());
  }

  private static Optional<String> cluster(String name) {
    return Optional.of(name).filter(text -> !text.equals(UNNAMED));
  }
}
