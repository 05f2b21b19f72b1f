package io.tidemark.nodeid.config;

import io.tidemark.config.ConfigReader;
import io.tidemark.config.Option;
import io.tidemark.config.Options;
import io.tidemark.config.SharedKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The settings of node ids, each also under its name in Contiv. {@link NodeIdConfig} reads them.
 * The page docs/config.md is compared with this list.
 */
public final class NodeIdKey {
  private static final int PREFIX_MAX = 128;

  private static final Options ALL = new Options();

  static final Option<String> PODS =
      range(
          "node-id-pod-subnet-cidr",
          "10.1.0.0/16",
          "the range of the nodes' pod subnets",
          "podSubnetCIDR");
  static final Option<Integer> POD_PREFIX =
      prefix(
          "node-id-pod-subnet-prefix",
          "prefix length of one node's pod subnet, up to 29 (IPv4) or 125 (IPv6)",
          "podSubnetOneNodePrefixLen");
  static final Option<String> LINKS =
      range(
          "node-id-link-subnet-cidr",
          "172.30.0.0/16",
          "the range of the subnets between a node's switch and its host",
          "vppHostSubnetCIDR");
  static final Option<Integer> LINK_PREFIX =
      prefix(
          "node-id-link-subnet-prefix",
          "prefix length of one node's link subnet, up to 30 (IPv4) or 126 (IPv6)",
          "vppHostSubnetOneNodePrefixLen");
  static final Option<String> INTERCONNECT =
      range(
          "node-id-interconnect-cidr",
          "",
          "the range of the addresses of the nodes' main interfaces",
          "nodeInterconnectCIDR");
  static final Option<Boolean> DHCP =
      ALL.flag(
          "node-id-interconnect-dhcp",
          false,
          "main interfaces get their addresses by DHCP, unless their range is set",
          "nodeInterconnectDHCP");
  static final Option<String> OVERLAY =
      range(
          "node-id-overlay-cidr",
          "192.168.30.0/24",
          "the range of the addresses of the nodes' overlay interfaces",
          "vxlanCIDR");
  static final Option<String> WHOLE =
      range(
          "node-id-whole-cidr",
          "",
          "one range for pod subnets, link subnets, interconnect and overlay, in place of theirs",
          "contivCIDR");
  static final Option<String> SERVICES =
      range(
          "service-cluster-ip-range",
          "10.96.0.0/12",
          "the range of the addresses of services; nodes take none of it",
          "serviceCIDR");
  static final Option<List<String>> EXCLUDED =
      ALL.list(
          "node-id-excluded-addresses",
          "addresses of the interconnect that no node gets, such as its gateway; the same for all"
              + " nodes");
  static final Option<String> NAMESPACE =
      ALL.text(
          "node-id-namespace",
          "tidemark-node-ids",
          "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?",
          "the name of a namespace: letters, digits, '-'",
          "namespace of the Leases that claim ids, and of nothing else");
  static final Option<Duration> COOLDOWN =
      ALL.duration(
          "node-id-cool-down",
          "5m",
          "0",
          "24h",
          "how long a node must be gone before its id may go to another, {}");
  static final Option<Boolean> ALLOCATE = ALL.with(SharedKey.ALLOCATE_NODE_CIDRS);
  static final Option<SharedKey.Profile> PROFILE = ALL.with(SharedKey.IPAM_PROFILE);

  private NodeIdKey() {}

  /** All of them, in the order of the document. */
  public static List<Option<?>> all() {
    return ALL.all();
  }

  private static Option<String> range(
      String key, String otherwise, String meaning, String ofContiv) {
    return add(
        key,
        Option.Form.TEXT,
        Optional.of(otherwise).filter(text -> !text.isEmpty()),
        meaning,
        ofContiv,
        reader -> reader.source().value(key).map(String::strip).orElse(otherwise));
  }

  private static Option<Integer> prefix(String key, String meaning, String ofContiv) {
    int otherwise = 24;
    return add(
        key,
        Option.Form.INTEGER,
        Optional.of(Integer.toString(otherwise)),
        meaning,
        ofContiv,
        reader -> reader.integer(key, otherwise, 1, PREFIX_MAX));
  }

  private static <T> Option<T> add(
      String key,
      Option.Form form,
      Optional<String> defaultText,
      String meaning,
      String ofContiv,
      Function<ConfigReader, T> reading) {
    return ALL.with(
        new Option<>(key, form, defaultText, meaning, List.of(ofContiv), false, reading));
  }
}
