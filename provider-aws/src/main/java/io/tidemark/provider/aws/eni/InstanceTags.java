package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.spi.InstanceId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The tags of interfaces that a program of one instance created, as the AWS VPC CNI has them, with
 * our own of the token.
 */
final class InstanceTags {
  static final String CREATED_AT = "node.k8s.amazonaws.com/createdAt";

  /** With {@code true}, an interface takes its place and nothing else. */
  static final String NO_MANAGE = "node.k8s.amazonaws.com/no_manage";

  private InstanceTags() {}

  static Map<String, String> of(
      InstanceId instance, String token, Instant now, Map<String, String> configured) {
    Map<String, String> all = new LinkedHashMap<>(configured);
    all.put(OwnerTags.AWS_NODE, instance.text());
    all.put(CREATED_AT, now.toString());
    all.put(OwnerTags.TOKEN, token);
    return all;
  }

  /** Whether such a program created it for the instance. */
  static boolean created(AwsEni eni, InstanceId instance) {
    return instance.text().equals(eni.tags().get(OwnerTags.AWS_NODE));
  }

  /** Whether this instance's program created an interface, attached or not. */
  static boolean created(AwsNetworkInterface each, InstanceId instance) {
    return instance.text().equals(each.tags().get(OwnerTags.AWS_NODE))
        && !OwnerTags.token(each).isEmpty()
        && each.description().endsWith(described(instance));
  }

  /** How the descriptions of interfaces that were created for an instance end. */
  static String described(InstanceId instance) {
    return " (" + instance + ")";
  }

  /** When it was created; empty when the tag is missing or says no time. */
  static Optional<Instant> createdAt(Map<String, String> tags) {
    return OwnerTags.instant(tags.get(CREATED_AT));
  }

  /** Whether it is for pods, as far as its tags tell; the instance's own interface always is. */
  static boolean managed(AwsEni eni) {
    return eni.isOwn() || !"true".equals(eni.tags().get(NO_MANAGE));
  }
}
