package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Tags;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tags that every interface of ours carries from birth; what lacks them is never collected
 * (provider-aws 6, M9). The reference's two tags go along, so that either program can collect what
 * the other left behind.
 *
 * @param name tells {@link #cluster}, at the latest when something was read from EC2
 * @param clusterId sets clusters of one name apart; empty when there is none
 */
public record OwnerTags(Supplier<String> name, String clusterId) {
  public static final String CLUSTER = "tidemark.io/cluster";
  static final String INSTANCE = "tidemark.io/instance-id";
  static final String CREATED_AT = "tidemark.io/created-at";
  static final String TOKEN = "tidemark.io/token";
  static final String CLUSTER_ID = "tidemark.io/cluster-id";
  static final String REFERENCE_MANAGED = "io.cilium/cilium-managed";
  static final String REFERENCE_CLUSTER = "io.cilium/cluster-name";

  /** The tag that Amazon's own network plugin puts on interfaces that it works with. */
  static final String AWS_NODE = "node.k8s.amazonaws.com/instance_id";

  /** The reference's name of a cluster without one; it says nothing about whose it is. */
  private static final String UNNAMED = "default";

  OwnerTags(String cluster) {
    this(() -> cluster, "");
  }

  /** The name that separates clusters of one account; empty when there is none. */
  String cluster() {
    return name.get();
  }

  Map<String, String> of(
      InstanceId instance, String token, Instant now, Map<String, String> configured) {
    Map<String, String> all = new LinkedHashMap<>(configured);
    all.put(CLUSTER, cluster());
    all.put(INSTANCE, instance.text());
    all.put(CREATED_AT, now.toString());
    all.put(TOKEN, token);
    all.put(REFERENCE_MANAGED, "true");
    all.put(REFERENCE_CLUSTER, cluster());
    if (!clusterId.isEmpty()) {
      all.put(CLUSTER_ID, clusterId);
    }
    return all;
  }

  Map<String, String> filter() {
    return Map.of(REFERENCE_MANAGED, "true", REFERENCE_CLUSTER, cluster());
  }

  /** Whether we created it, or the reference did under the same name. */
  boolean own(Map<String, String> tags) {
    String cluster = cluster();
    return !cluster.isEmpty()
        && foreign(tags).isEmpty()
        && (cluster.equals(tags.get(CLUSTER))
            || ("true".equals(tags.get(REFERENCE_MANAGED))
                && cluster.equals(tags.get(REFERENCE_CLUSTER))));
  }

  /** Whether an operator of this cluster made it, be it one of a cluster without a name. */
  boolean created(Map<String, String> tags) {
    return own(tags)
        || (cluster().isEmpty() && "".equals(tags.get(CLUSTER)) && tags.containsKey(TOKEN));
  }

  /** As {@link #foreign(Map)}; empty for an interface that the node excludes, too. */
  public Optional<String> foreign(Map<String, String> tags, EniSpec spec) {
    boolean excluded =
        !spec.excludeInterfaceTags().isEmpty()
            && new Tags(tags).matches(spec.excludeInterfaceTags());
    return excluded ? Optional.empty() : foreign(tags);
  }

  /** Who else says, by its tags, that an interface is its own; empty when nobody does. */
  Optional<String> foreign(Map<String, String> tags) {
    if (tags.containsKey(AWS_NODE)) {
      return Optional.of("aws-node, by its tag " + AWS_NODE);
    }
    String other = tags.getOrDefault(CLUSTER, "");
    String otherId = tags.getOrDefault(CLUSTER_ID, "");
    if (!other.isEmpty() && !other.equals(cluster())) {
      return Optional.of("cluster '" + other + "', by its tag " + CLUSTER);
    }
    if (!otherId.isEmpty() && !clusterId.isEmpty() && !otherId.equals(clusterId)) {
      return Optional.of(
          "a second cluster of the name '" + cluster() + "', by its tag " + CLUSTER_ID);
    }
    String reference = tags.getOrDefault(REFERENCE_CLUSTER, "");
    return other.isEmpty()
            && "true".equals(tags.get(REFERENCE_MANAGED))
            && !reference.isEmpty()
            && !reference.equals(UNNAMED)
            && !reference.equals(cluster())
        ? Optional.of("cluster '" + reference + "', by its tag " + REFERENCE_CLUSTER)
        : Optional.empty();
  }

  /**
   * Who else works with the interfaces of an instance: both would give out the same addresses, so
   * the node waits. Interfaces that the node excludes are nobody's concern.
   */
  Optional<Blocked> other(List<AwsEni> interfaces, EniSpec spec) {
    for (AwsEni eni : interfaces) {
      Optional<String> foreign = foreign(eni.tags(), spec);
      if (foreign.isPresent()) {
        return Optional.of(
            new Blocked(
                BlockedReason.FOREIGN_INTERFACE, eni.id() + " belongs to " + foreign.get()));
      }
    }
    return Optional.empty();
  }

  static String token(AwsNetworkInterface each) {
    return each.tags().getOrDefault(TOKEN, "");
  }

  /** When it was created; empty when the tag is missing or says no time. */
  static Optional<Instant> createdAt(Map<String, String> tags) {
    return instant(tags.get(CREATED_AT));
  }

  /** The time in the text of a tag; empty when that is no time. */
  static Optional<Instant> instant(@Nullable String text) {
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException noTime) {
      return Optional.empty();
    }
  }
}
