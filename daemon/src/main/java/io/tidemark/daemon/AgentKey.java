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

  /** Where a node's addresses come from. */
  enum Mode {
    CLUSTER_POOL(Optional.empty()),
    KUBERNETES(Optional.empty()),
    CRD(Optional.of(CrdMode.CRD)),
    ENI(Optional.of(CrdMode.ENI)),
    AZURE(Optional.of(CrdMode.AZURE)),
    MULTI_POOL(Optional.empty()),
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
          "cluster-pool: the node's addresses are those of spec.ipam.podCIDRs; kubernetes: the same,"
              + " and a CiliumNode that the agent creates gets spec.podCIDRs of the Kubernetes Node;"
              + " crd, eni or azure: those of spec.ipam.pool, which an operator fills; multi-pool:"
              + " those of spec.ipam.pools.allocated, where an operator adds CIDRs by demand;"
              + " delegated-plugin: another plugin has the addresses, and the agent gives none");
  static final Option<InterfaceAllocator> INTERFACE_ALLOCATOR =
      ALL.choice(
          "interface-allocator",
          InterfaceAllocator.CRD,
          "with ipam eni and azure, crd: the agent writes which addresses are used, and the operator takes"
              + " back single ones; multi-pool: it writes its demand, and gives back whole CIDRs of"
              + " the interfaces in status.eni or status.azure");
  static final Option<Duration> UPDATE_RATE =
      ALL.duration(
          "ipam-cilium-node-update-rate",
          "15s",
          "1s",
          "5m",
          "the least time between two writes of the node's object, {}");
  static final Option<String> DEFAULT_POOL =
      ALL.text(
          "ipam-default-ip-pool",
          "default",
          "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?",
          "a name of lower-case letters, digits and '-'",
          "the name of the node's pool; with several, of the one for pods that name none");
  static final Option<Map<String, String>> PRE_ALLOCATION =
      ALL.map(
          "ipam-multi-pool-pre-allocation",
          "NAME=ADDRESSES items: how many free addresses of each pool the agent asks for in advance"
              + " with ipam multi-pool; unset, 8 of ipam-default-ip-pool. With interface-allocator"
              + " multi-pool, spec.ipam.pre-allocate of the node takes precedence");
  static final Option<Boolean> ENABLE_IPV4 =
      ALL.flag("enable-ipv4", true, "give pods an IPv4 address, if the node has some");
  static final Option<Boolean> ENABLE_IPV6 =
      ALL.flag("enable-ipv6", true, "give pods an IPv6 address, if the node has some");
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
          "how long it is not given to another pod even when no other is free, {}; at most"
              + " ip-cooldown");
  static final Option<Duration> OFFER_GRACE =
      ALL.duration(
          "offer-grace",
          "1m",
          "1s",
          "1h",
          "how long addresses of a pool of CIDRs may be on offer and not handed out without a"
              + " reason, before the agent builds the pool anew, {}");
  static final Option<Duration> QUARANTINE =
      ALL.duration(
          "reclaim-quarantine",
          "4m",
          "0s",
          "1h",
          "how long a CIDR that was given back and is taken up again is not used, {}; longer than"
              + " the operator can take for a release that it has begun");
  static final Option<Duration> ADD_WAIT =
      ALL.duration(
          "cni-add-wait", "10s", "0s", "25s", "how long an ADD waits for a free address, {}");
  static final Option<ResultForm.Prefix> RESULT_PREFIX =
      ALL.choice(
          "cni-result-prefix",
          ResultForm.Prefix.SUBNET,
          "subnet: an address has the prefix length of its block, as ptp and bridge need it; host:"
              + " 32 or 128");
  static final Option<GatewayChoice> GATEWAY =
      ALL.choice(
          "cni-gateway",
          GatewayChoice.ROUTER,
          "router: results name a gateway, an address of the block that no pod gets; interface: the"
              + " gateway of the address's interface, with ipam eni and azure only; none: they name"
              + " none");
  static final Option<String> IPV4_NATIVE_ROUTING =
      ALL.raw(
          "ipv4-native-routing-cidr",
          "with ipam eni: a CIDR that pods reach without translation; results list it with those of"
              + " the VPC, and it must contain one of them or be part of one");
  static final Option<String> IPV6_NATIVE_ROUTING =
      ALL.raw(
          "ipv6-native-routing-cidr",
          "the same for IPv6; not compared with the VPC, whose IPv6 CIDRs the status does not show");
  static final Option<Boolean> HEALTH_CHECKING =
      ALL.flag(
          "enable-health-checking",
          false,
          "hold an address of each family for health checks of the node by the data path, owner"
              + " health");
  static final Option<String> INSTANCE_ID =
      ALL.raw(
          "instance-id",
          "with ipam eni and azure: the id of this instance, as spec.instance-id has it; unset, the"
              + " metadata service is asked");
  static final Option<String> METADATA_ENDPOINT =
      ALL.raw(
          "instance-metadata-endpoint",
          "where it is asked (default: http://169.254.169.254); http for loopback, 169.254.169.254 and"
              + " [fd00:ec2::254] only");
  static final Option<Boolean> CHECK_INTERFACES =
      ALL.flag(
          "agent-check-interfaces",
          true,
          "with ipam eni and azure: hand out no address of an interface whose MAC this machine does"
              + " not have");
  static final Option<Boolean> ENABLE_METRICS =
      ALL.flag("enable-metrics", true, "collect and publish metrics");
  static final Option<Duration> START_WAIT =
      ALL.duration(
          "agent-start-wait",
          "5m",
          "0s",
          "1h",
          "how long the start waits for the node's object and its addresses, {}");
  static final Option<String> SOCKET =
      ALL.text(
          "agent-socket",
          "/run/tidemark/agent.sock",
          "/.{0,106}",
          "an absolute path of at most 107 bytes",
          "the Unix socket that the CNI plugin connects to");
  static final Option<String> STATE =
      ALL.text(
          "agent-state",
          "/var/lib/tidemark/agent",
          "/.+",
          "an absolute path",
          "the folder of what the agent keeps over a restart");

  /** What serves the addresses of interfaces. */
  enum InterfaceAllocator {
    CRD,
    MULTI_POOL
  }

  private AgentKey() {}

  static List<Option<?>> all() {
    return ALL.all();
  }
}
