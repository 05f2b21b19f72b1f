package io.tidemark.nodecidr.config;

import io.tidemark.config.Option;
import io.tidemark.config.Options;
import io.tidemark.config.SharedKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The settings of node CIDRs: by which names and with which defaults they are given. {@link
 * NodeCidrConfig} reads them. The page docs/config.md is compared with this list.
 */
public final class NodeCidrKey {
  private static final Options KUBERNETES = new Options();
  private static final Options POOL = new Options();
  private static final Options COMMON = new Options();

  /** Whose objects get the CIDRs, and whose settings say so. */
  public enum Mode {
    /** Node objects: the settings of the Kubernetes controller manager. */
    KUBERNETES,
    /** CiliumNode objects: the settings of the Cilium operator. */
    CLUSTER_POOL
  }

  static final Option<Mode> IPAM =
      COMMON.choice(
          "ipam",
          Mode.KUBERNETES,
          "kubernetes: Node objects, from cluster-cidr; cluster-pool: CiliumNode objects, from"
              + " cluster-pool-ipv4-cidr and -ipv6-cidr");
  static final Option<Boolean> ALLOCATE = KUBERNETES.with(SharedKey.ALLOCATE_NODE_CIDRS);
  static final Option<String> TYPE =
      KUBERNETES.raw(
          "cidr-allocator-type",
          "RangeAllocator, CloudAllocator, IPAMFromCluster or IPAMFromCloud; unset, RangeAllocator");
  static final Option<List<String>> CLUSTER_CIDR =
      KUBERNETES.list("cluster-cidr", "the range of pod addresses, or one of each family");
  static final Option<List<String>> SERVICE_RANGE =
      KUBERNETES.list(
          "service-cluster-ip-range",
          "the range of service addresses, or one of each family; no node gets them");
  static final Option<List<String>> SECONDARY_SERVICE_RANGE =
      KUBERNETES.list(
          "secondary-service-cluster-ip-range",
          "the second range of service addresses, unless service-cluster-ip-range has two");
  static final Option<Integer> MASK =
      KUBERNETES.integer(
          "node-cidr-mask-size",
          0,
          1,
          128,
          "prefix length of a node's block where there is one range; {}");
  static final Option<Integer> IPV4_MASK =
      KUBERNETES.integer(
          "node-cidr-mask-size-ipv4", 24, 1, 32, "prefix length of a node's IPv4 block, {}");
  static final Option<Integer> IPV6_MASK =
      KUBERNETES.integer(
          "node-cidr-mask-size-ipv6", 64, 1, 128, "prefix length of a node's IPv6 block, {}");

  static final Option<List<String>> POOL_IPV4 =
      POOL.list("cluster-pool-ipv4-cidr", "IPv4 ranges, in the order in which they are used up");
  static final Option<Integer> POOL_IPV4_MASK =
      POOL.integer(
          "cluster-pool-ipv4-mask-size", 24, 1, 32, "prefix length of a node's IPv4 block, {}");
  static final Option<List<String>> POOL_IPV6 =
      POOL.list("cluster-pool-ipv6-cidr", "IPv6 ranges, in the order in which they are used up");
  static final Option<Integer> POOL_IPV6_MASK =
      POOL.integer(
          "cluster-pool-ipv6-mask-size", 112, 1, 128, "prefix length of a node's IPv6 block, {}");
  static final Option<String> ENABLE_IPV4 = enabled("enable-ipv4", "IPv4", POOL_IPV4);
  static final Option<String> ENABLE_IPV6 = enabled("enable-ipv6", "IPv6", POOL_IPV6);

  public static final Option<Integer> SYNC_ATTEMPTS = POOL.with(SharedKey.SYNC_ATTEMPTS);

  static final Option<List<String>> EXCLUDE =
      COMMON.list("exclude-cidrs", "addresses that no node gets, of any family");
  static final Option<Duration> COOLDOWN =
      COMMON.duration(
          "node-cidr-cool-down",
          "60s",
          "0",
          "24h",
          "how long a node must be gone before its block may go to another, {}");
  static final Option<Duration> TAKEOVER_HOLD =
      COMMON.duration(
          "node-cidr-takeover-hold",
          "75s",
          "0",
          "24h",
          "how long a new leader assigns no block that its predecessor may have assigned, unless"
              + " that one shut down cleanly; at least node-cidr-cool-down, {}");
  static final Option<Boolean> STRICT_START =
      COMMON.flag(
          "node-cidr-strict-start",
          false,
          "exit at the start if a CIDR of a node is wrong, instead of reporting it");
  static final Option<SharedKey.Profile> PROFILE = COMMON.with(SharedKey.IPAM_PROFILE);

  private NodeCidrKey() {}

  private static Option<String> enabled(String key, String family, Option<?> ranges) {
    return POOL.text(
        key,
        "",
        "true|false",
        "true or false",
        "true or false: give nodes an " + family + " block; unset, if " + ranges.key() + " is set");
  }

  /** Those of {@code ipam=kubernetes}, in the order of the document. */
  public static List<Option<?>> kubernetes() {
    return of(COMMON, KUBERNETES);
  }

  /** Those of {@code ipam=cluster-pool}, in the order of the document. */
  public static List<Option<?>> clusterPool() {
    return of(COMMON, POOL);
  }

  public static List<Option<?>> of(String ipam) {
    return ipam.equals("kubernetes") ? kubernetes() : clusterPool();
  }

  /** All of them, each once. */
  public static List<Option<?>> all() {
    return of(COMMON, KUBERNETES, POOL);
  }

  private static List<Option<?>> of(Options... groups) {
    return Stream.of(groups).<Option<?>>flatMap(each -> each.all().stream()).toList();
  }
}
