package io.tidemark.daemon;

import io.tidemark.config.ConfigReader;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodeid.NodeIdRanges;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.config.NodeIdConfig;
import java.util.Optional;
import java.util.Set;

/**
 * Checked settings of a node whose subnet follows from its id.
 *
 * @param namespace of the claims, in a cluster
 * @param claimant who claims the id
 */
record NodeIds(NodeIdSubnets subnets, String namespace, AgentKey.Claimant claimant) {

  /** Those of this mode; empty for any other, and when something is wrong. */
  static Optional<NodeIds> read(AgentKey.Mode mode, Set<IpFamily> families, ConfigReader reader) {
    AgentKey.Claimant claimant = AgentKey.NODE_ID_CLAIMANT.read(reader);
    if (mode != AgentKey.Mode.NODE_ID) {
      return Optional.empty();
    }
    Optional<NodeIdConfig> config = NodeIdConfig.readToRun(reader);
    config.ifPresent(it -> check(it.ranges(), families, reader));
    return config.map(
        it -> new NodeIds(new NodeIdSubnets(it.ranges()), it.assignment().namespace(), claimant));
  }

  private static void check(NodeIdRanges ranges, Set<IpFamily> families, ConfigReader reader) {
    IpFamily family = ranges.pods().family();
    if (!families.contains(family)) {
      contradicts(
          reader,
          family == IpFamily.IPV4 ? AgentKey.ENABLE_IPV4.key() : AgentKey.ENABLE_IPV6.key(),
          "pods get addresses of " + ranges.pods());
    }
    int prefixMin = family.bits() - NodeIdPodRange.HOST_BITS_MAX;
    if (ranges.podPrefix() < prefixMin) {
      contradicts(
          reader,
          "node-id-pod-subnet-prefix",
          "an agent serves pod subnets of a prefix length of " + prefixMin + " or more");
    }
  }

  private static void contradicts(ConfigReader reader, String key, String why) {
    reader.problems().contradiction(reader.source(), key, AgentKey.IPAM.key(), why);
  }
}
