package io.tidemark.daemon;

import io.tidemark.agent.crd.CrdMode;
import io.tidemark.config.Option;
import io.tidemark.config.Options;
import io.tidemark.daemon.cni.GatewayChoice;
import io.tidemark.daemon.cni.ResultForm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings of the agent. The page docs/config.md is compared with this list. */
final class AgentKey {
  private static final Options ALL = new Options();

  enum Mode {
    CLUSTER_POOL(Optional.empty()),
    KUBERNETES(Optional.empty()),
    CRD(Optional.of(CrdMode.CRD)),
    ENI(Optional.of(CrdMode.ENI)),
    AZURE(Optional.of(CrdMode.AZURE)),
    MULTI_POOL(Optional.empty()),
    NODE_ID(Optional.empty()),
    DELEGATED_PLUGIN(Optional.empty());

    private final Optional<CrdMode> pool;

    Mode(Optional<CrdMode> pool) {
      this.pool = pool;
    }

    /** Who fills the pool of the node's object, if the addresses are there. */
    Optional<CrdMode> pool() {
      return pool;
    }

    /** Whether the addresses belong to interfaces of an instance of a cloud. */
    boolean isCloud() {
      return pool.filter(CrdMode::isCloud).isPresent();
    }
  }

  static final Option<Mode> IPAM =
      ALL.choice(
          "ipam",
          Mode.CLUSTER_POOL,
          "where the CiliumNode has its addresses: cluster-pool, kubernetes: spec.ipam.podCIDRs;"
              + " crd, eni, azure: spec.ipam.pool; multi-pool: spec.ipam.pools.allocated;"
              + " delegated-plugin: another plugin assigns addresses, not the agent. node-id: none;"
              + " its subnet follows from the id of its Kubernetes Node");
  static final Option<Claimant> NODE_ID_CLAIMANT =
      ALL.choice(
          "node-id-claimant",
          Claimant.OPERATOR,
          "with ipam node-id, operator: wait until run --ipam=node-id gives the node its id; agent:"
              + " claim the lowest free id, where no such operator runs");
  static final Option<InterfaceAllocator> INTERFACE_ALLOCATOR =
      ALL.choice(
          "interface-allocator",
          InterfaceAllocator.CRD,
          "with ipam eni and azure, crd: the operator releases single addresses; multi-pool: the"
              + " agent publishes its demand and gives back whole CIDRs of interfaces");
  static final Option<Duration> UPDATE_RATE =
      ALL.duration(
          "ipam-cilium-node-update-rate",
          "15s",
          "1s",
          "5m",
          "shortest time between two writes of the CiliumNode, {}");
  static final Option<String> DEFAULT_POOL =
      ALL.text(
          "ipam-default-ip-pool",
          "default",
          "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?",
          "a name of lower-case letters, digits and '-'",
          "name of the pool for pods that specify none");
  static final Option<Map<String, String>> PRE_ALLOCATION =
      ALL.map(
          "ipam-multi-pool-pre-allocation",
          "NAME=ADDRESSES items: free addresses of each pool that the agent requests in advance;"
              + " unset, 8 of ipam-default-ip-pool. With interface-allocator multi-pool,"
              + " spec.ipam.pre-allocate takes precedence");
  static final Option<Boolean> ENABLE_IPV4 =
      ALL.flag("enable-ipv4", true, "give pods IPv4 addresses, if the node has some");
  static final Option<Boolean> ENABLE_IPV6 =
      ALL.flag("enable-ipv6", true, "give pods IPv6 addresses, if the node has some");
  static final Option<Duration> COOLDOWN =
      ALL.duration(
          "ip-cooldown",
          "130s",
          "0s",
          "1h",
          "how long a released address is not given to another pod while others are free, {}");
  static final Option<Duration> COOLDOWN_FLOOR =
      ALL.duration(
          "ip-cooldown-floor",
          "0s",
          "0s",
          "1h",
          "the same when no other address is free, {}; must not exceed ip-cooldown");
  static final Option<Duration> OFFER_GRACE =
      ALL.duration(
          "offer-grace",
          "1m",
          "1s",
          "1h",
          "how long a pool of CIDRs can fail to hand out its free addresses before the agent"
              + " rebuilds it, {}");
  static final Option<Duration> QUARANTINE =
      ALL.duration(
          "reclaim-quarantine",
          "4m",
          "0s",
          "1h",
          "pause before the agent reuses a CIDR that it gave back, {}; must exceed the longest"
              + " release by the operator");
  static final Option<Duration> ADD_WAIT =
      ALL.duration(
          "cni-add-wait", "10s", "0s", "25s", "how long an ADD waits for a free address, {}");
  static final Option<ResultForm.Prefix> RESULT_PREFIX =
      ALL.choice(
          "cni-result-prefix",
          ResultForm.Prefix.SUBNET,
          "prefix length in results: subnet: that of the block, for ptp and bridge; host: 32 or"
              + " 128");
  static final Option<GatewayChoice> GATEWAY =
      ALL.choice(
          "cni-gateway",
          GatewayChoice.ROUTER,
          "gateway in results: router: an address of the block that no pod gets; interface: that"
              + " of the interface, with ipam eni and azure; none");
  static final Option<String> IPV4_NATIVE_ROUTING =
      ALL.raw(
          "ipv4-native-routing-cidr",
          "with ipam eni: a CIDR that pods reach without translation, in addition to those of"
              + " the VPC; must contain one of them or be part of one");
  static final Option<String> IPV6_NATIVE_ROUTING =
      ALL.raw("ipv6-native-routing-cidr", "the same for IPv6; not compared with the VPC");
  static final Option<Boolean> HEALTH_CHECKING =
      ALL.flag(
          "enable-health-checking",
          false,
          "reserve an address of each family for health checks of the node, owner health");
  static final Option<String> INSTANCE_ID =
      ALL.raw(
          "instance-id",
          "with ipam eni and azure: id of this instance, as in spec.instance-id; unset, from the"
              + " metadata service");
  static final Option<String> METADATA_ENDPOINT =
      ALL.raw(
          "instance-metadata-endpoint",
          "endpoint of the metadata service (default: http://169.254.169.254); http for"
              + " loopback, 169.254.169.254 and [fd00:ec2::254] only");
  static final Option<Boolean> CHECK_INTERFACES =
      ALL.flag(
          "agent-check-interfaces",
          true,
          "with ipam eni and azure: use only interfaces whose MAC address this machine has");
  static final Option<Boolean> ENABLE_METRICS =
      ALL.flag("enable-metrics", true, "collect and publish metrics");
  static final Option<Duration> START_WAIT =
      ALL.duration(
          "agent-start-wait",
          "5m",
          "0s",
          "1h",
          "how long the start waits for the CiliumNode and its addresses, {}");
  static final Option<String> SOCKET =
      ALL.text(
          "agent-socket",
          "/run/tidemark/agent.sock",
          "/.{0,106}",
          "an absolute path of at most 107 bytes",
          "Unix socket for the CNI plugin");
  static final Option<String> STATE =
      ALL.text(
          "agent-state",
          "/var/lib/tidemark/agent",
          "/.+",
          "an absolute path",
          "folder of the state that survives a restart");

  enum InterfaceAllocator {
    CRD,
    MULTI_POOL
  }

  enum Claimant {
    OPERATOR,
    AGENT
  }

  private AgentKey() {}

  static List<Option<?>> all() {
    return ALL.all();
  }
}
