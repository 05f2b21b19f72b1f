package io.tidemark.daemon;

import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.daemon.ipamd.PluginVersions;
import io.tidemark.daemon.ipamd.VpcRouting;
import io.tidemark.daemon.ipamd.grpc.Listening;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.checkpoint.CheckpointFile.DataLoss;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.program.SettingPlaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What holds for one run of {@code ipamd}, all of it checked.
 *
 * @param mode what addresses are assigned from
 * @param loss what happens when the checkpoint cannot be read
 * @param http where it says what it does
 * @param checkpointing how the checkpoint is written
 */
record IpamdConfig(
    Listening listening,
    PluginVersions versions,
    Path checkpoint,
    DataLoss loss,
    CidrKind mode,
    CooldownRule cooldown,
    VpcRouting routing,
    IpamdHttp.Addresses http,
    IpamdKey.Checkpointing checkpointing) {
  private static final String UNIX = "unix";
  private static final String TCP = "tcp";

  /**
   * Reads the settings.
   *
   * @throws io.tidemark.error.IpamException listing everything that is wrong
   */
  static IpamdConfig read(SettingPlaces places) {
    ConfigProblems problems = new ConfigProblems();
    ConfigKeys keys = ConfigKeys.of(IpamdKey.all());
    ConfigSource source = keys.resolve(places.layers(keys, problems), problems);
    ConfigReader reader = new ConfigReader(source, problems);
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
    Duration period = IpamdKey.COOLDOWN.read(reader);
    Duration floor = IpamdKey.COOLDOWN_FLOOR.read(reader);
    if (floor.compareTo(period) > 0) {
      problems.contradiction(
          source,
          IpamdKey.COOLDOWN_FLOOR.key(),
          IpamdKey.COOLDOWN.key(),
          "the floor is the longer one");
      floor = period;
    }
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
            IpamdKey.PREFIXES.read(reader) ? CidrKind.PREFIX : CidrKind.SECONDARY,
            new CooldownRule(period, floor),
            new VpcRouting(IpamdKey.EXTERNAL_SNAT.read(reader), cidrs, List.of()),
            IpamdHttp.Addresses.read(reader),
            IpamdKey.CHECKPOINTING.read(reader));
    problems.throwIfAny();
    return config;
  }

  private static boolean isIpv4Cidr(String text) {
    try {
      return Cidr.parse(text).family() == IpFamily.IPV4;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
