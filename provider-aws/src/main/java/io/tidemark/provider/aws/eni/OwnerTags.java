package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.NetworkInterface;
import io.tidemark.spi.InstanceId;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The tags that every interface of ours carries from birth; what lacks them is never collected
 * (provider-aws 6, M9). The reference's two tags go along, so that either program can collect what
 * the other left behind.
 *
 * @param name tells {@link #cluster}, at the latest when something was read from EC2
 */
record OwnerTags(Supplier<String> name) {
  static final String CLUSTER = "tidemark.io/cluster";
  static final String INSTANCE = "tidemark.io/instance-id";
  static final String CREATED_AT = "tidemark.io/created-at";
  static final String TOKEN = "tidemark.io/token";
  static final String REFERENCE_MANAGED = "io.cilium/cilium-managed";
  static final String REFERENCE_CLUSTER = "io.cilium/cluster-name";

  OwnerTags(String cluster) {
    this(() -> cluster);
  }

  /** The name that separates clusters of one account; empty when there is none. */
  String cluster() {
    return name.get();
  }

  /** The tags of an interface that is about to be created. */
  Map<String, String> of(
      InstanceId instance, String token, Instant now, Map<String, String> configured) {
    Map<String, String> all = new LinkedHashMap<>(configured);
    all.put(CLUSTER, cluster());
    all.put(INSTANCE, instance.text());
    all.put(CREATED_AT, now.toString());
    all.put(TOKEN, token);
    all.put(REFERENCE_MANAGED, "true");
    all.put(REFERENCE_CLUSTER, cluster());
    return all;
  }

  /** What a listing of our interfaces asks for. */
  Map<String, String> filter() {
    return Map.of(REFERENCE_MANAGED, "true", REFERENCE_CLUSTER, cluster());
  }

  /** Whether we created it, or the reference did under the same name. */
  boolean own(Map<String, String> tags) {
    String cluster = cluster();
    return !cluster.isEmpty()
        && (cluster.equals(tags.get(CLUSTER))
            || ("true".equals(tags.get(REFERENCE_MANAGED))
                && cluster.equals(tags.get(REFERENCE_CLUSTER))));
  }

  static String token(NetworkInterface each) {
    return each.tags().getOrDefault(TOKEN, "");
  }

  /** When it was created; empty when the tag is missing or says no time. */
  static Optional<Instant> createdAt(Map<String, String> tags) {
    String text = tags.get(CREATED_AT);
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
