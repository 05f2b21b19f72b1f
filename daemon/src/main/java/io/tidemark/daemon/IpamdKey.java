package io.tidemark.daemon;

import io.tidemark.config.Option;
import io.tidemark.config.Options;
import io.tidemark.daemon.ipamd.grpc.Listening;
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
          "the Unix socket; unmodified plugins connect to the default");
  static final Option<String> PLUGIN_VERSION =
      ALL.raw(
          "plugin-version",
          "serve plugins of exactly this version alone; unset, every version from 1.7 is served");
  static final Option<String> CHECKPOINT =
      ALL.text(
          "checkpoint-path",
          "/var/run/aws-node/ipam.json",
          "/.+",
          "an absolute path",
          "the file of what is assigned, as the AWS VPC CNI reads and writes it");
  static final Option<Boolean> DATA_LOSS =
      ALL.flag(
          "allow-data-loss",
          false,
          "start without assignments when the file is damaged and the one before it too; the"
              + " damaged one is kept");
  static final Option<Boolean> CHECK_LINKS =
      ALL.flag(
          "check-pod-links",
          true,
          "at the start, release the addresses of pods whose link this machine does not have; their"
              + " DEL came while nothing served it");
  static final Option<Boolean> PREFIXES =
      ALL.flag(
          "enable-prefix-delegation",
          false,
          "assign addresses of prefixes, not secondary addresses");
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
          "free addresses of so many whole interfaces are kept, {}; without effect with prefixes,"
              + " warm-ip-target or minimum-ip-target");
  static final Option<Integer> WARM_IP =
      ALL.integer("warm-ip-target", -1, 0, COUNT_MAX, "free addresses that are kept, {}");
  static final Option<Integer> MINIMUM_IP =
      ALL.integer(
          "minimum-ip-target", -1, 0, COUNT_MAX, "addresses that are kept, used or free, {}");
  static final Option<Integer> WARM_PREFIX =
      ALL.integer(
          "warm-prefix-target",
          0,
          0,
          COUNT_MAX,
          "with enable-prefix-delegation, whole free prefixes that are kept, {}; without effect with"
              + " warm-ip-target or minimum-ip-target");
  static final Option<Integer> MAX_ENI =
      ALL.integer(
          "max-eni",
          0,
          -1,
          COUNT_MAX,
          "interfaces that the node may have, up to 1000; 0 or -1 for as many as its type can"
              + " have");
  static final Option<String> HOST_NETWORK_HOOK =
      ALL.text(
          "host-network-hook",
          "",
          "/.+",
          "an absolute path",
          "program that sets the host up for an interface that came or went; unset, pods get"
              + " addresses of the primary interface alone");
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
          "how long it is not given to another pod even when no other is free, {}; at most"
              + " ip-cooldown");
  static final Option<Boolean> COOLDOWN_AFTER_RESTART =
      ALL.flag(
          "cooldown-after-restart",
          true,
          "at a start without a record of when addresses were released, unassigned addresses cool"
              + " for one ip-cooldown; otherwise they can be assigned at once");
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
          "where assignments are read from at the start: 2 and 3 mean the checkpoint; 0 and 1, the"
              + " container runtime, are refused");
  static final Option<Boolean> EXTERNAL_SNAT =
      ALL.flag(
          "external-snat",
          false,
          "something outside of the node translates source addresses, so the plugin does not");
  static final Option<List<String>> VPC_CIDRS =
      ALL.list(
          "exclude-snat-cidrs",
          "CIDRs whose destinations see the addresses of pods, as those of the VPC");
  static final Option<String> INTROSPECTION =
      ALL.text(
          "introspection-address",
          "127.0.0.1:61679",
          ".+",
          "an address of this machine and a port, or unix: and a path",
          "where interfaces, settings and the plan are served over HTTP: an address and a port, or"
              + " unix: and the absolute path of a Unix socket");
  static final Option<Boolean> NO_INTROSPECTION =
      ALL.flag("disable-introspection", false, "do not serve them");
  static final Option<String> METRICS =
      ALL.text(
          "metrics-address",
          ":61678",
          ".+",
          "an address of this machine and a port",
          "where metrics and health are served over HTTP; without an address, on every one");
  static final Option<Boolean> ENABLE_METRICS = ALL.with(AgentKey.ENABLE_METRICS);
  static final Option<Checkpointing> CHECKPOINTING =
      ALL.choice(
          "checkpoint",
          Checkpointing.FILE,
          "file: replace the file at each change; journal: append changes to a journal beside it,"
              + " which the AWS VPC CNI does not read, and fold it into the file now and then and at"
              + " the stop");

  /** How the checkpoint is written. */
  enum Checkpointing {
    FILE,
    JOURNAL
  }

  private IpamdKey() {}

  static List<Option<?>> all() {
    return ALL.all();
  }
}
