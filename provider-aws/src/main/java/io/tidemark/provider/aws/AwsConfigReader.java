package io.tidemark.provider.aws;

import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.CoreConfig;
import io.tidemark.error.CoreError;
import io.tidemark.provider.aws.ec2.CaBundle;
import io.tidemark.provider.aws.ec2.ConnectionSettings.Role;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.aws.eni.EniOptions;
import io.tidemark.provider.aws.eni.EniSettings;
import io.tidemark.provider.aws.limits.LimitMapping;
import io.tidemark.provider.aws.metadata.HttpInstanceMetadata;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads the settings and collects everything that is wrong with them. Used once. */
final class AwsConfigReader {
  private static final Pattern REGION = Pattern.compile("[a-z]{2,}(-[a-z0-9]+)+-[0-9]+");
  private static final Pattern ROLE =
      Pattern.compile("arn:aws(-cn|-us-gov)?:iam::[0-9]{12}:role/[\\w+=,.@/-]{1,576}");
  private static final Pattern EXTERNAL_ID = Pattern.compile("[\\w+=,.@:/-]{2,1224}");
  private static final Pattern DESCRIPTION =
      Pattern.compile("[\\w .:/()#,@+=;{}!$*\\[\\]-]{1,100}");

  private static final Pattern CLUSTER_ID = Pattern.compile("[A-Za-z0-9-]{1,64}");

  /** Interfaces that one pass of the reference's collection deletes. */
  private static final int REFERENCE_COLLECTS = 25;

  /** AWS's quota of tags on one resource. */
  private static final int TAGS_MAX = 50;

  /** That we put on an interface ourselves. */
  private static final int TAGS_OURS = 7;

  private static final Duration COLLECTION = Duration.ofMinutes(5);
  private static final Duration COLLECTION_LEAST = Duration.ofMinutes(1);
  private static final Duration DAY = Duration.ofHours(24);
  private static final Duration HORIZON = Duration.ofSeconds(60);
  private static final Duration OVERLAY = Duration.ofMinutes(2);

  private final ConfigSource source;
  private final ConfigProblems problems = new ConfigProblems();
  private final ConfigReader reader;
  private final List<String> warnings = new ArrayList<>();

  private enum AllocationPath {
    CHEAPEST,
    FASTEST
  }

  AwsConfigReader(ConfigSource source) {
    this.source = source;
    this.reader = new ConfigReader(source, problems);
  }

  AwsConfig read() {
    Set<String> subnetIds = subnetIds();
    Map<String, String> subnetTags = reader.map(AwsKeys.SUBNET_TAGS);
    Map<String, String> eniTags = ownTags(AwsKeys.ENI_TAGS);
    Map<String, String> collectionTags = ownTags(AwsKeys.GC_TAGS);
    AwsConfig.Filters filters =
        new AwsConfig.Filters(subnetIds, subnetTags, reader.map(AwsKeys.INSTANCE_TAGS));
    EniSettings eni = eni(created(eniTags, collectionTags), filters, collectionTags);
    AwsConfig config =
        new AwsConfig(
            region(),
            endpoints(),
            new AwsConfig.Principals(
                role(AwsKeys.ROLE, AwsKeys.ROLE_EXTERNAL_ID),
                role(AwsKeys.NETWORK_ROLE, AwsKeys.NETWORK_ROLE_EXTERNAL_ID)),
            reader.decimal(AwsKeys.API_SHARE, 1, 0.01, 10),
            pageSize(),
            filters,
            collectionTags,
            reader.flag(AwsKeys.GC_ALLOW_UNNAMED, false),
            limits(),
            eni.with(new OptionsReader(reader, core()).read(eni)),
            warnings);
    if (reader.flag(AwsKeys.PRIMARY, false)) {
      refuse(AwsKeys.PRIMARY, "is gone", "Set use-primary-address in the spec of each node.");
    }
    problems.throwIfAny();
    return config;
  }

  private EniSettings eni(
      Map<String, String> tags, AwsConfig.Filters filters, Map<String, String> collectionTags) {
    EniSettings.Parity parity =
        new EniSettings.Parity(
            reader.flag(AwsKeys.PD_STICKY, false), reader.flag(AwsKeys.PARITY_CAPACITY, false));
    if (parity.capacity()) {
      warnings.add(
          AwsKeys.PARITY_CAPACITY
              + " counts 15 addresses too many for each usable primary address with /28 blocks");
    }
    return new EniSettings(
        tags,
        reader.text(AwsKeys.DESCRIPTION, "Tidemark", DESCRIPTION, "1 to 100 letters and digits"),
        filters.subnetIds(),
        filters.subnetTags(),
        reader.integer(AwsKeys.RESERVED, 0, 0, 15),
        reader.integer(AwsKeys.GROUPS_MAX, 5, 1, 16),
        reader.choice(AwsKeys.PATH, AllocationPath.CHEAPEST) == AllocationPath.FASTEST,
        reader.flag(AwsKeys.IPV6, false),
        reader.flag(AwsKeys.SUBNET_FALLBACK, false),
        parity,
        reader.duration(AwsKeys.HORIZON, HORIZON, Duration.ofSeconds(1), Duration.ofMinutes(10)),
        reader.duration("overlay-expiry", OVERLAY, Duration.ZERO, Duration.ofHours(1)),
        collectionInterval(),
        scope(filters.instanceTags(), collectionTags),
        EniOptions.NONE);
  }

  private EniSettings.Scope scope(
      Map<String, String> instanceTags, Map<String, String> collectionTags) {
    return new EniSettings.Scope(
        reader.text(AwsKeys.CLUSTER_ID, "", CLUSTER_ID, "1 to 64 letters, digits and dashes"),
        instanceTags,
        collectionTags,
        core().isReferenceCompatible() ? OptionalInt.of(REFERENCE_COLLECTS) : OptionalInt.empty(),
        reader.flag(AwsKeys.TRUNKS, false),
        reader.isGiven(AwsKeys.NETWORK_ROLE));
  }

  /** What core's own settings say; core tells their problems. */
  private CoreConfig core() {
    return CoreConfig.read(source, new ConfigProblems());
  }

  private Optional<String> region() {
    String region = reader.text(AwsKeys.REGION, "", REGION, "a region such as eu-central-1");
    return Optional.of(region).filter(text -> !text.isEmpty());
  }

  private AwsConfig.Endpoints endpoints() {
    return new AwsConfig.Endpoints(
        endpoint(AwsKeys.EC2_ENDPOINT, EndpointText::parse),
        endpoint(AwsKeys.STS_ENDPOINT, EndpointText::parse),
        endpoint(AwsKeys.METADATA_ENDPOINT, EndpointText::parseMetadata)
            .orElse(HttpInstanceMetadata.ENDPOINT),
        reader.flag(AwsKeys.FIPS, false),
        reader.flag(AwsKeys.DUAL_STACK, false),
        caBundle());
  }

  private Optional<URI> endpoint(String key, Function<String, Optional<URI>> parse) {
    Optional<String> given = source.value(key).map(String::strip);
    if (given.isEmpty() || given.get().isEmpty()) {
      return Optional.empty();
    }
    Optional<URI> endpoint = parse.apply(given.get());
    if (endpoint.isEmpty()) {
      problems.invalid(
          source, key, "a host name, an https URL, or an http URL of this machine (loopback)");
    }
    return endpoint;
  }

  private Optional<Path> caBundle() {
    Optional<String> given = source.value(AwsKeys.CA_BUNDLE).map(String::strip);
    Optional<Path> file = given.map(Path::of).filter(Files::isReadable);
    if (given.isPresent() && file.isEmpty()) {
      problems.invalid(source, AwsKeys.CA_BUNDLE, "a file that can be read");
    }
    file.flatMap(CaBundle::problem)
        .ifPresent(problem -> refuse(AwsKeys.CA_BUNDLE, "is not accepted", problem + "."));
    return file;
  }

  private Optional<Role> role(String key, String externalIdKey) {
    String arn = reader.text(key, "", ROLE, "arn:aws:iam::ACCOUNT:role/NAME");
    String externalId = reader.text(externalIdKey, "", EXTERNAL_ID, "2 to 1224 characters");
    if (!reader.isGiven(key) && reader.isGiven(externalIdKey)) {
      problems.contradiction(source, externalIdKey, key, "there is no role to use it with");
    }
    return arn.isEmpty()
        ? Optional.empty()
        : Optional.of(new Role(arn, Optional.of(externalId).filter(text -> !text.isEmpty())));
  }

  private int pageSize() {
    int size = reader.integer(AwsKeys.PAGE_SIZE, 0, 0, 1000);
    if (size > 0 && size < 5) {
      problems.invalid(source, AwsKeys.PAGE_SIZE, "0, or a whole number from 5 to 1000");
      return 0;
    }
    return size;
  }

  private Set<String> subnetIds() {
    Set<String> ids = new LinkedHashSet<>(reader.list(AwsKeys.SUBNET_IDS));
    if (ids.stream().anyMatch(id -> !id.startsWith("subnet-"))) {
      problems.invalid(source, AwsKeys.SUBNET_IDS, "ids that begin with subnet-, between commas");
    }
    return ids;
  }

  private Map<String, String> ownTags(String key) {
    Map<String, String> tags = reader.map(key);
    if (tags.keySet().stream().anyMatch(name -> name.startsWith("aws:"))) {
      problems.invalid(source, key, "names that do not begin with aws:, which is AWS's own");
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
          AwsKeys.ENI_TAGS,
          "with " + AwsKeys.GC_TAGS + " at most " + (TAGS_MAX - TAGS_OURS) + " tags");
    }
    return all;
  }

  private Duration collectionInterval() {
    Duration interval = reader.duration(AwsKeys.GC_INTERVAL, COLLECTION, Duration.ZERO, DAY);
    if (!interval.isZero() && interval.compareTo(COLLECTION_LEAST) < 0) {
      problems.invalid(source, AwsKeys.GC_INTERVAL, "0 for never, or a duration from 1m to 24h");
    }
    return interval;
  }

  private Map<String, InstanceType> limits() {
    Optional<String> given = source.value(AwsKeys.LIMITS).map(String::strip);
    if (given.isEmpty() || given.get().isEmpty()) {
      return Map.of();
    }
    try {
      return LimitMapping.parse(given.get());
    } catch (IllegalArgumentException wrong) {
      refuse(AwsKeys.LIMITS, "is not accepted", String.valueOf(wrong.getMessage()) + ".");
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
