package io.tidemark.provider.aws;

import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.config.SharedKey;
import io.tidemark.error.CoreError;
import io.tidemark.provider.aws.ec2.ConnectionSettings;
import io.tidemark.provider.aws.ec2.ConnectionSettings.Role;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.aws.eni.EniSettings;
import io.tidemark.provider.aws.limits.LimitMapping;
import io.tidemark.provider.aws.metadata.HttpInstanceMetadata;
import io.tidemark.provider.kit.start.CaBundle;
import io.tidemark.provider.kit.start.EndpointText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Reads the settings and collects everything that is wrong with them. Used once. */
final class AwsConfigReader {
  /** Interfaces that one pass of the reference's collection deletes. */
  private static final int REFERENCE_COLLECTS = 25;

  /** AWS's quota of tags on one resource. */
  private static final int TAGS_MAX = 50;

  /** That we put on an interface ourselves. */
  private static final int TAGS_OURS = 7;

  private static final Duration COLLECTION_LEAST = Duration.ofMinutes(1);

  private final ConfigSource source;
  private final ConfigProblems problems;
  private final ConfigReader reader;
  private final List<String> warnings = new ArrayList<>();

  AwsConfigReader(ConfigSource source, ConfigProblems problems) {
    this.source = source;
    this.problems = problems;
    this.reader = new ConfigReader(source, problems);
  }

  AwsConfig read() {
    if (AwsKeys.PRIMARY.read(reader)) {
      refuse(AwsKeys.PRIMARY.key(), "is gone", "Set use-primary-address in the spec of each node.");
    }
    EniSettings eni = eni();
    refuseContradictions(eni);
    return new AwsConfig(
        Optional.of(AwsKeys.REGION.read(reader)).filter(text -> !text.isEmpty()),
        connection(),
        EndpointText.readMetadata(reader, AwsKeys.METADATA_ENDPOINT.key())
            .orElse(HttpInstanceMetadata.ENDPOINT),
        AwsKeys.API_SHARE.read(reader),
        AwsKeys.GC_ALLOW_UNNAMED.read(reader),
        limits(),
        eni,
        warnings);
  }

  private EniSettings eni() {
    Map<String, String> eniTags = ownTags(AwsKeys.ENI_TAGS);
    Map<String, String> collectionTags = ownTags(AwsKeys.GC_TAGS);
    boolean primaryCountsBlock = AwsKeys.PARITY_CAPACITY.read(reader);
    if (primaryCountsBlock) {
      warnings.add(
          AwsKeys.PARITY_CAPACITY.key()
              + " counts 15 addresses too many for each usable primary address with /28 blocks");
    }
    return new EniSettings(
        created(eniTags, collectionTags),
        AwsKeys.DESCRIPTION.read(reader),
        subnetIds(),
        AwsKeys.SUBNET_TAGS.read(reader),
        AwsKeys.RESERVED.read(reader),
        AwsKeys.GROUPS_MAX.read(reader),
        AwsKeys.PATH.read(reader) == AwsKeys.AllocationPath.FASTEST,
        AwsKeys.IPV6.read(reader),
        AwsKeys.SUBNET_FALLBACK.read(reader),
        AwsKeys.PD_STICKY.read(reader),
        primaryCountsBlock,
        AwsKeys.HORIZON.read(reader),
        SharedKey.OVERLAY_EXPIRY.read(reader),
        collectionInterval(),
        scope(collectionTags),
        new EniSettings.Options(
            AwsKeys.ENI_RELEASE.read(reader),
            AwsKeys.SUBNET_ROLES.read(reader),
            AwsKeys.FOREIGN.read(reader),
            AwsKeys.RECONCILE_GROUPS.read(reader),
            AwsKeys.RETIRE_SUBNETS.read(reader),
            AwsKeys.COPY_TRACKING.read(reader)));
  }

  /** The settings that each option rests on. */
  private void refuseContradictions(EniSettings eni) {
    EniSettings.Options options = eni.options();
    if (options.releaseInterfaces() && !SharedKey.RELEASE_EXCESS_IPS.read(reader)) {
      problems.contradiction(
          source,
          AwsKeys.ENI_RELEASE.key(),
          SharedKey.RELEASE_EXCESS_IPS.key(),
          "without it no interface is ever empty");
    }
    if (options.releaseInterfaces() && eni.collectionInterval().isZero()) {
      problems.contradiction(
          source,
          AwsKeys.ENI_RELEASE.key(),
          AwsKeys.GC_INTERVAL.key(),
          "an interface that a restart leaves detached is deleted by that collection alone");
    }
    if (options.retireSubnets() && eni.subnetFallback()) {
      problems.contradiction(
          source,
          AwsKeys.RETIRE_SUBNETS.key(),
          AwsKeys.SUBNET_FALLBACK.key(),
          "tags that match nothing select all");
    }
    if (isReferenceCompatible()) {
      refuseWithReference(options.releaseInterfaces(), AwsKeys.ENI_RELEASE);
      refuseWithReference(options.roleTags(), AwsKeys.SUBNET_ROLES);
      refuseWithReference(!options.manageForeign(), AwsKeys.FOREIGN);
      refuseWithReference(options.reconcileGroups(), AwsKeys.RECONCILE_GROUPS);
      refuseWithReference(options.retireSubnets(), AwsKeys.RETIRE_SUBNETS);
      refuseWithReference(options.copyTracking(), AwsKeys.COPY_TRACKING);
    }
  }

  private void refuseWithReference(boolean given, Option<Boolean> option) {
    if (given) {
      problems.contradiction(
          source,
          option.key(),
          SharedKey.IPAM_PROFILE.key(),
          "the reference has nothing of the kind");
    }
  }

  private boolean isReferenceCompatible() {
    return SharedKey.IPAM_PROFILE.read(reader) == SharedKey.Profile.REFERENCE;
  }

  private EniSettings.Scope scope(Map<String, String> collectionTags) {
    return new EniSettings.Scope(
        AwsKeys.CLUSTER_ID.read(reader),
        AwsKeys.INSTANCE_TAGS.read(reader),
        collectionTags,
        isReferenceCompatible() ? OptionalInt.of(REFERENCE_COLLECTS) : OptionalInt.empty(),
        AwsKeys.TRUNKS.read(reader),
        reader.isGiven(AwsKeys.NETWORK_ROLE.key()));
  }

  private ConnectionSettings connection() {
    return new ConnectionSettings(
        EndpointText.read(reader, AwsKeys.EC2_ENDPOINT.key()),
        EndpointText.read(reader, AwsKeys.STS_ENDPOINT.key()),
        AwsKeys.FIPS.read(reader),
        AwsKeys.DUAL_STACK.read(reader),
        CaBundle.setting(reader, AwsKeys.CA_BUNDLE.key()),
        role(AwsKeys.ROLE, AwsKeys.ROLE_EXTERNAL_ID),
        role(AwsKeys.NETWORK_ROLE, AwsKeys.NETWORK_ROLE_EXTERNAL_ID),
        pageSize(),
        ConnectionSettings.CONNECT_TIMEOUT,
        Ec2CallLimits.ATTEMPT_TIMEOUT);
  }

  private Optional<Role> role(Option<String> role, Option<String> id) {
    String arn = role.read(reader);
    String externalId = id.read(reader);
    if (!reader.isGiven(role.key()) && reader.isGiven(id.key())) {
      problems.contradiction(source, id.key(), role.key(), "there is no role to use it with");
    }
    return arn.isEmpty()
        ? Optional.empty()
        : Optional.of(new Role(arn, Optional.of(externalId).filter(text -> !text.isEmpty())));
  }

  private int pageSize() {
    int size = AwsKeys.PAGE_SIZE.read(reader);
    if (size > 0 && size < 5) {
      problems.invalid(source, AwsKeys.PAGE_SIZE.key(), "0, or a whole number from 5 to 1000");
      return 0;
    }
    return size;
  }

  private Set<String> subnetIds() {
    Set<String> ids = new LinkedHashSet<>(AwsKeys.SUBNET_IDS.read(reader));
    if (ids.stream().anyMatch(id -> !id.startsWith("subnet-"))) {
      problems.invalid(
          source, AwsKeys.SUBNET_IDS.key(), "ids that begin with subnet-, between commas");
    }
    return ids;
  }

  private Map<String, String> ownTags(Option<Map<String, String>> option) {
    Map<String, String> tags = option.read(reader);
    if (tags.keySet().stream().anyMatch(name -> name.startsWith("aws:"))) {
      problems.invalid(
          source, option.key(), "names that do not begin with aws:, which is AWS's own");
    }
    return tags;
  }

  /** The right-most wins. */
  private Map<String, String> created(Map<String, String> tags, Map<String, String> collection) {
    Map<String, String> all = new HashMap<>(tags);
    all.putAll(collection);
    if (all.size() > TAGS_MAX - TAGS_OURS) {
      problems.invalid(
          source,
          AwsKeys.ENI_TAGS.key(),
          "with " + AwsKeys.GC_TAGS.key() + " at most " + (TAGS_MAX - TAGS_OURS) + " tags");
    }
    return all;
  }

  private Duration collectionInterval() {
    Duration interval = AwsKeys.GC_INTERVAL.read(reader);
    if (!interval.isZero() && interval.compareTo(COLLECTION_LEAST) < 0) {
      problems.invalid(
          source, AwsKeys.GC_INTERVAL.key(), "0 for never, or a duration from 1m to 24h");
    }
    return interval;
  }

  private Map<String, InstanceType> limits() {
    Optional<String> given = source.value(AwsKeys.LIMITS.key()).map(String::strip);
    if (given.isEmpty() || given.get().isEmpty()) {
      return Map.of();
    }
    try {
      return given.get().startsWith("{")
          ? LimitMapping.of(reader.map(AwsKeys.LIMITS.key()))
          : LimitMapping.parse(given.get());
    } catch (IllegalArgumentException wrong) {
      refuse(AwsKeys.LIMITS.key(), "is not accepted", String.valueOf(wrong.getMessage()) + ".");
      return Map.of();
    }
  }

  private void refuse(String key, String problem, String remedy) {
    problems.add(
        new ConfigProblem(
            CoreError.CONFIG_INVALID_VALUE,
            key,
            source.value(key).orElse(""),
            source.origin(key),
            problem,
            remedy));
  }
}
