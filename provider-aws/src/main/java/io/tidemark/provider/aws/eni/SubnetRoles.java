package io.tidemark.provider.aws.eni;

import java.util.Map;

/**
 * The tags of subnets that Amazon's own network plugin reads (provider-aws 2.3 S6). Pure.
 *
 * <p>{@code kubernetes.io/role/cni} with the value 0 shuts a subnet out, any other value lets it
 * in; without it only the node's own subnet is in. A subnet that clusters are named on is for those
 * alone.
 *
 * @param heeded whether the tags count at all
 * @param cluster our name; empty when there is none
 */
record SubnetRoles(boolean heeded, String cluster) {
  static final String ROLE = "kubernetes.io/role/cni";
  static final String CLUSTER_PREFIX = "cni.networking.k8s.aws/cluster/";

  private static final String SHUT_OUT = "0";

  /**
   * Whether a subnet may be used.
   *
   * @param home whether it is the node's own
   */
  boolean allow(Map<String, String> tags, boolean home) {
    if (!heeded) {
      return true;
    }
    String role = tags.get(ROLE);
    boolean chosen = role == null ? home : !role.equals(SHUT_OUT);
    return chosen && isForUs(tags);
  }

  private boolean isForUs(Map<String, String> tags) {
    boolean named = tags.keySet().stream().anyMatch(key -> key.startsWith(CLUSTER_PREFIX));
    return !named || (!cluster.isEmpty() && tags.containsKey(CLUSTER_PREFIX + cluster));
  }
}
