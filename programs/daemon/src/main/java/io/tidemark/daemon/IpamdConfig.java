package io.tidemark.daemon;

import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.daemon.ipamd.PluginVersions;
import io.tidemark.daemon.ipamd.VpcRouting;
import io.tidemark.daemon.ipamd.grpc.Listening;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.checkpoint.CheckpointFile.DataLoss;
import io.tidemark.datastore.checkpoint.MigrationPhase;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.demand.DemandKey;
import io.tidemark.demand.DemandSettings;
import io.tidemark.error.CoreError;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.program.SettingPlaces;
import io.tidemark.provider.aws.AwsInstance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Checked settings of one run of {@code ipamd}.
 *
 * @param mode what addresses are assigned from
 * @param family of the addresses of pods
 * @param loss what happens when the checkpoint cannot be read
 * @param checkLinks whether a pod without a link on this machine has ended
 * @param recovery how the start takes up what the checkpoint says
 * @param http where it says what it does
 * @param pool what the node should have in EC2
 */
record IpamdConfig(
    Listening listening,
    PluginVersions versions,
    Path checkpoint,
    DataLoss loss,
    boolean checkLinks,
    Recovery recovery,
    CidrKind mode,
    IpFamily family,
    CooldownRule cooldown,
    VpcRouting routing,
    IpamdHttp.Addresses http,
    Pool pool) {
  /**
   * The node's targets in EC2.
   *
   * @param demand settings of the mode in which spare addresses follow demand; empty for static
   *     ones
   * @param maxEni interfaces that it may have; empty for as many as its type can have
   * @param hook the program that sets the host up for interfaces
   * @param source where the settings of EC2 are read from; they are checked
   */
  record Pool(
      WarmTargets warm,
      Optional<DemandSettings> demand,
      OptionalInt maxEni,
      Optional<Path> hook,
      ConfigSource source) {}

  /**
   * How the start takes up what the checkpoint says.
   *
   * @param coolUnnoted whether addresses cool when it is not recorded when they were released
   * @param grace how long an assignment is kept whose address the node does not have
   */
  record Recovery(MigrationPhase phase, boolean coolUnnoted, Duration grace) {}

  private static final String UNIX = "unix";
  private static final String TCP = "tcp";

  /**
   * Reads the settings.
   *
   * @param ofEc2 whether the interfaces are those of EC2, and not of a file
   * @throws io.tidemark.error.IpamException listing everything that is wrong
   */
  static IpamdConfig read(SettingPlaces places, boolean ofEc2) {
    ConfigProblems problems = new ConfigProblems();
    ConfigKeys keys = ConfigKeys.of(IpamdKey.all()).with(AwsInstance.settings());
    List<ConfigLayer> layers = new ArrayList<>(places.layers(keys, problems));
    layers.add(ReferenceEnvironment.settings(places.environment()));
    ReferenceEnvironment.refuse(places.environment(), ofEc2, problems);
    ConfigSource source = keys.resolve(layers, problems);
    ConfigReader reader = new ConfigReader(source, problems);
    AwsInstance.check(source, problems);
    List<String> listen = IpamdKey.LISTEN.read(reader);
    if (!Set.of(UNIX, TCP).containsAll(listen)) {
      problems.invalid(source, IpamdKey.LISTEN.key(), "unix, tcp or both");
      listen = List.of();
    }
    boolean unix = listen.isEmpty() || listen.contains(UNIX);
    Path socket = Path.of(IpamdKey.SOCKET.read(reader));
    Listening listening =
        new Listening(
            unix ? Optional.of(socket) : Optional.empty(),
            listen.contains(TCP) ? OptionalInt.of(Listening.PORT) : OptionalInt.empty());
    String version = IpamdKey.PLUGIN_VERSION.read(reader);
    List<String> cidrs = IpamdKey.VPC_CIDRS.read(reader);
    if (!cidrs.stream().allMatch(IpamdConfig::isIpv4Cidr)) {
      problems.invalid(source, IpamdKey.VPC_CIDRS.key(), "IPv4 CIDRs, such as 10.0.0.0/16");
    }
    IpamdConfig config =
        new IpamdConfig(
            listening,
            version.isEmpty() ? PluginVersions.all() : PluginVersions.only(version),
            Path.of(IpamdKey.CHECKPOINT.read(reader)),
            IpamdKey.DATA_LOSS.read(reader) ? DataLoss.ALLOWED : DataLoss.REFUSED,
            IpamdKey.CHECK_LINKS.read(reader),
            recovery(reader),
            IpamdKey.PREFIXES.read(reader) ? CidrKind.PREFIX : CidrKind.SECONDARY,
            family(reader),
            cooldown(reader),
            new VpcRouting(IpamdKey.EXTERNAL_SNAT.read(reader), cidrs, List.of()),
            IpamdHttp.Addresses.read(reader),
            pool(reader));
    problems.throwIfAny();
    return config;
  }

  private static Recovery recovery(ConfigReader reader) {
    int number = IpamdKey.CHECKPOINT_PHASE.read(reader);
    MigrationPhase phase = MigrationPhase.of(number);
    if (!phase.readsFile()) {
      reader
          .problems()
          .add(
              new ConfigProblem(
                  CoreError.CONFIG_INVALID_VALUE,
                  IpamdKey.CHECKPOINT_PHASE.key(),
                  Integer.toString(number),
                  reader.source().origin(IpamdKey.CHECKPOINT_PHASE.key()),
                  "reads assignments from the container runtime, which ipamd does not ask",
                  "If the AWS VPC CNI 1.7 or later ran on this node, it has written a checkpoint:"
                      + " remove the setting. Otherwise drain the node first."));
    }
    return new Recovery(
        phase, IpamdKey.COOLDOWN_AFTER_RESTART.read(reader), IpamdKey.RECOVERY_GRACE.read(reader));
  }

  private static IpFamily family(ConfigReader reader) {
    boolean ipv4 = IpamdKey.IPV4.read(reader);
    boolean ipv6 = IpamdKey.IPV6.read(reader);
    if (ipv4 == ipv6) {
      reader
          .problems()
          .contradiction(
              reader.source(),
              IpamdKey.IPV6.key(),
              IpamdKey.IPV4.key(),
              "pods get addresses of one family; enable exactly one");
    }
    if (ipv6 && !IpamdKey.PREFIXES.read(reader)) {
      reader
          .problems()
          .contradiction(
              reader.source(),
              IpamdKey.IPV6.key(),
              IpamdKey.PREFIXES.key(),
              "IPv6 addresses are assigned from prefixes alone");
    }
    return ipv6 ? IpFamily.IPV6 : IpFamily.IPV4;
  }

  /** A period that is shorter than the usual floor is its own floor. */
  private static CooldownRule cooldown(ConfigReader reader) {
    Duration period = IpamdKey.COOLDOWN.read(reader);
    Duration floor = IpamdKey.COOLDOWN_FLOOR.read(reader);
    if (floor.compareTo(period) > 0) {
      if (reader.isGiven(IpamdKey.COOLDOWN_FLOOR.key())) {
        reader
            .problems()
            .contradiction(
                reader.source(),
                IpamdKey.COOLDOWN_FLOOR.key(),
                IpamdKey.COOLDOWN.key(),
                "it must not exceed " + IpamdKey.COOLDOWN.key());
      }
      floor = period;
    }
    return new CooldownRule(period, floor);
  }

  private static Pool pool(ConfigReader reader) {
    int maxEni = IpamdKey.MAX_ENI.read(reader);
    return new Pool(
        new WarmTargets(
            given(IpamdKey.WARM_IP.read(reader)),
            given(IpamdKey.MINIMUM_IP.read(reader)),
            IpamdKey.WARM_PREFIX.read(reader),
            IpamdKey.WARM_ENI.read(reader)),
        demand(reader),
        maxEni > 0 ? OptionalInt.of(maxEni) : OptionalInt.empty(),
        Optional.of(IpamdKey.HOST_NETWORK_HOOK.read(reader))
            .filter(path -> !path.isEmpty())
            .map(Path::of),
        reader.source());
  }

  private static Optional<DemandSettings> demand(ConfigReader reader) {
    Optional<DemandSettings> demand = DemandKey.read(reader);
    for (Option<?> target : List.of(IpamdKey.WARM_ENI, IpamdKey.WARM_IP, IpamdKey.WARM_PREFIX)) {
      if (demand.isPresent() && reader.isGiven(target.key())) {
        reader
            .problems()
            .contradiction(
                reader.source(),
                target.key(),
                DemandKey.MODE.key(),
                "spare addresses follow demand; minimum-ip-target can be set beside it");
      }
    }
    return demand;
  }

  /** 0 is a target too. */
  private static OptionalInt given(int target) {
    return target < 0 ? OptionalInt.empty() : OptionalInt.of(target);
  }

  private static boolean isIpv4Cidr(String text) {
    try {
      return Cidr.parse(text).family() == IpFamily.IPV4;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  // ---- values by the names of the AWS VPC CNI's environment variables, where it has them

  /** The settings of the addresses. */
  Map<String, Object> ofAddresses() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG", false);
    all.put("ENABLE_IPv4", family() == IpFamily.IPV4);
    all.put("ENABLE_IPv6", family() == IpFamily.IPV6);
    all.put("ENABLE_PREFIX_DELEGATION", mode() == CidrKind.PREFIX);
    all.put("IP_COOLDOWN_PERIOD", cooldown().period().toSeconds());
    all.put("MAX_ENI", pool().maxEni().orElse(-1));
    all.put("MINIMUM_IP_TARGET", pool().warm().minIp().orElse(0));
    all.put("WARM_ENI_TARGET", pool().demand().isPresent() ? 0 : pool().warm().warmEni());
    all.put("WARM_IP_TARGET", pool().warm().warmIp().orElse(0));
    all.put("WARM_PREFIX_TARGET", pool().warm().warmPrefix());
    return all;
  }

  /** The settings of the network of the host. */
  Map<String, Object> ofHostNetwork() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("AWS_VPC_K8S_CNI_EXCLUDE_SNAT_CIDRS", routing().v4Cidrs());
    all.put("AWS_VPC_K8S_CNI_EXTERNALSNAT", routing().externalSnat());
    return all;
  }
}
