package io.tidemark.daemon;

import io.tidemark.config.Option;
import io.tidemark.config.Options;
import io.tidemark.daemon.ipamd.grpc.Listening;
import io.tidemark.demand.DemandKey;
import java.time.Duration;
import java.util.List;

/** The settings of {@code ipamd}. The page docs/config.md is compared with this list. */
final class IpamdKey {
  private static final Options ALL = new Options();

  private static final int COUNT_MAX = 1000;

  static final Option<List<String>> LISTEN =
      ALL.list(
          "ipamd-listen",
          "unix, tcp or both: the Unix socket of ipamd-socket, for plugins from 1.23.0, and port "
              + Listening.PORT
              + " of 127.0.0.1, for those up to 1.22; unset, unix");
  static final Option<String> SOCKET =
      ALL.text(
          "ipamd-socket",
          Listening.SOCKET.toString(),
          "/.{0,106}",
          "an absolute path of at most 107 bytes",
          "Unix socket; unmodified plugins connect to the default");
  static final Option<String> PLUGIN_VERSION =
      ALL.raw("plugin-version", "only plugin version to serve; unset, every version from 1.7");
  static final Option<String> CHECKPOINT =
      ALL.text(
          "checkpoint-path",
          "/var/run/aws-node/ipam.json",
          "/.+",
          "an absolute path",
          "file of assignments, in the form of the AWS VPC CNI");
  static final Option<Boolean> DATA_LOSS =
      ALL.flag(
          "allow-data-loss",
          false,
          "start without assignments when the file and its backup are damaged; the damaged file"
              + " is kept");
  static final Option<Boolean> CHECK_LINKS =
      ALL.flag(
          "check-pod-links",
          true,
          "at the start, release the addresses of pods whose link is gone, because nothing"
              + " served their DEL");
  static final Option<Boolean> PREFIXES =
      ALL.flag(
          "enable-prefix-delegation",
          false,
          "assign addresses of prefixes instead of secondary addresses");
  static final Option<Boolean> IPV4 = ALL.flag("enable-ipv4", true, "pods get IPv4 addresses");
  static final Option<Boolean> IPV6 =
      ALL.flag(
          "enable-ipv6",
          false,
          "pods get IPv6 addresses, of one /80 prefix of the primary interface; needs"
              + " enable-ipv4=false and enable-prefix-delegation");
  static final Option<Integer> WARM_ENI =
      ALL.integer(
          "warm-eni-target",
          1,
          0,
          COUNT_MAX,
          "keep the addresses of this many interfaces free, {}; ignored with prefixes,"
              + " warm-ip-target or minimum-ip-target");
  static final Option<Integer> WARM_IP =
      ALL.integer("warm-ip-target", -1, 0, COUNT_MAX, "free addresses to keep, {}");
  static final Option<Integer> MINIMUM_IP =
      ALL.integer("minimum-ip-target", -1, 0, COUNT_MAX, "addresses to keep, used or free, {}");
  static final Option<Integer> WARM_PREFIX =
      ALL.integer(
          "warm-prefix-target",
          0,
          0,
          COUNT_MAX,
          "with enable-prefix-delegation, free prefixes to keep, {}; ignored with warm-ip-target"
              + " or minimum-ip-target");

  static {
    DemandKey.all().forEach(ALL::with);
  }

  static final Option<Integer> MAX_ENI =
      ALL.integer(
          "max-eni",
          0,
          -1,
          COUNT_MAX,
          "most interfaces of the node, up to 1000; 0 or -1 for the limit of its type");
  static final Option<String> HOST_NETWORK_HOOK =
      ALL.text(
          "host-network-hook",
          "",
          "/.+",
          "an absolute path",
          "program that configures the host for added and removed interfaces; unset, only the"
              + " primary interface serves pods");
  static final Option<Duration> COOLDOWN =
      ALL.durationOrSeconds(
          "ip-cooldown",
          "130s",
          "0s",
          "1h",
          "how long a released address is not given to another pod, {}");
  static final Option<Duration> COOLDOWN_FLOOR =
      ALL.durationOrSeconds(
          "ip-cooldown-floor",
          "30s",
          "0s",
          "1h",
          "the same when no other address is free, {}; must not exceed ip-cooldown");
  static final Option<Boolean> COOLDOWN_AFTER_RESTART =
      ALL.flag(
          "cooldown-after-restart",
          true,
          "after a start without a record of releases, unassigned addresses cool for one"
              + " ip-cooldown");
  static final Option<Duration> RECOVERY_GRACE =
      ALL.duration(
          "recovery-grace",
          "5m",
          "30s",
          "24h",
          "how long an assignment is kept whose address EC2 does not show on the node, {}");
  static final Option<Integer> CHECKPOINT_PHASE =
      ALL.integer(
          "checkpoint-phase",
          3,
          0,
          3,
          "source of assignments at the start: 2 and 3, the checkpoint; 0 and 1, the container"
              + " runtime, are refused");
  static final Option<Boolean> EXTERNAL_SNAT =
      ALL.flag(
          "external-snat",
          false,
          "another device translates source addresses, so the plugin does not");
  static final Option<List<String>> VPC_CIDRS =
      ALL.list(
          "exclude-snat-cidrs",
          "CIDRs that see pod addresses without translation, like those of the VPC");
  static final Option<String> INTROSPECTION =
      ALL.text(
          "introspection-address",
          "127.0.0.1:61679",
          ".+",
          "an address of this machine and a port, or unix: and a path",
          "HTTP address of interfaces, settings and the plan: ADDRESS:PORT, or unix: and the"
              + " absolute path of a socket");
  static final Option<Boolean> NO_INTROSPECTION =
      ALL.flag("disable-introspection", false, "do not serve introspection-address");
  static final Option<String> METRICS =
      ALL.text(
          "metrics-address",
          ":61678",
          ".+",
          "an address of this machine and a port",
          "HTTP address of metrics and health; :PORT for every address");
  static final Option<Boolean> ENABLE_METRICS = ALL.with(AgentKey.ENABLE_METRICS);

  private IpamdKey() {}

  static List<Option<?>> all() {
    return ALL.all();
  }
}
