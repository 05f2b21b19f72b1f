package io.tidemark.provider.mock;

import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.spi.InstanceId;
import java.util.Map;

/** The tags that every interface of ours carries from birth; what lacks them is never touched. */
record MockTags(String cluster) {
  static final String CLUSTER = "tidemark.io/cluster";
  static final String INSTANCE = "tidemark.io/instance";
  static final String TOKEN = "tidemark.io/token";

  Map<String, String> of(InstanceId instance, String token) {
    return Map.of(CLUSTER, cluster, INSTANCE, instance.text(), TOKEN, token);
  }

  boolean own(Map<String, String> tags) {
    return cluster.equals(tags.get(CLUSTER)) && tags.containsKey(TOKEN);
  }

  static String token(NetworkInterface each) {
    return each.tags().getOrDefault(TOKEN, "");
  }
}
