package io.tidemark.daemon;

import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.PoolName;
import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.daemon.cni.GatewayChoice;
import io.tidemark.daemon.cni.ResultForm;
import io.tidemark.daemon.machine.Machine;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodeid.config.NodeIdKey;
import io.tidemark.program.SettingPlaces;
import io.tidemark.provider.kit.start.EndpointText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checked settings of one run of the agent.
 *
 * @param mode where the node's addresses come from
 * @param updateRate the least time between two writes of the node's object
 * @param pool the name of the node's pool, or of that for pods which name none
 * @param pools how its pools of CIDRs work, if it has such
 * @param nodeId how its subnet follows from its id, if it does
 * @param quarantine how long an address is not used that a release without a handshake may take
 *     away
 * @param families that are served if the node has addresses of them
 * @param cooling of released addresses
 * @param addWait how long an ADD waits for a free address
 * @param prefix of addresses in results
 * @param gateway in results
 * @param nativeRouting CIDRs that pods reach without translation, one of a family at most
 * @param health whether the node has addresses for health checks
 * @param machine how the instance and its interfaces are recognized
 * @param metrics whether it collects any
 * @param startWait how long the start waits for the node's addresses
 * @param socket where to listen
 * @param state a folder
 */
record AgentConfig(
    AgentKey.Mode mode,
    Duration updateRate,
    PoolName pool,
    Optional<PoolSettings> pools,
    Optional<NodeIds> nodeId,
    Duration quarantine,
    Set<IpFamily> families,
    CoolingRule cooling,
    Duration addWait,
    ResultForm.Prefix prefix,
    GatewayChoice gateway,
    List<Cidr> nativeRouting,
    boolean health,
    Machine.Settings machine,
    boolean metrics,
    Duration startWait,
    Path socket,
    Path state) {
  /**
   * Reads the settings.
   *
   * @throws io.tidemark.error.IpamException listing everything that is wrong
   */
  static AgentConfig read(SettingPlaces places) {
    ConfigProblems problems = new ConfigProblems();
    ConfigKeys keys = ConfigKeys.of(AgentKey.all()).with(NodeIdKey.all());
    ConfigSource source = keys.resolve(places.layers(keys, problems), problems);
    ConfigReader reader = new ConfigReader(source, problems);
    AgentKey.Mode mode = AgentKey.IPAM.read(reader);
    Duration updateRate = AgentKey.UPDATE_RATE.read(reader);
    Duration pause = AgentKey.COOLDOWN.read(reader);
    Duration floor = AgentKey.COOLDOWN_FLOOR.read(reader);
    if (floor.compareTo(pause) > 0) {
      problems.contradiction(
          source,
          AgentKey.COOLDOWN_FLOOR.key(),
          AgentKey.COOLDOWN.key(),
          "it must not exceed " + AgentKey.COOLDOWN.key());
      floor = pause;
    }
    Set<IpFamily> families = EnumSet.noneOf(IpFamily.class);
    if (AgentKey.ENABLE_IPV4.read(reader)) {
      families.add(IpFamily.IPV4);
    }
    if (AgentKey.ENABLE_IPV6.read(reader)) {
      families.add(IpFamily.IPV6);
    }
    if (families.isEmpty()) {
      problems.contradiction(
          source,
          AgentKey.ENABLE_IPV4.key(),
          AgentKey.ENABLE_IPV6.key(),
          "a pod needs an address of one family");
    }
    GatewayChoice gateway = AgentKey.GATEWAY.read(reader);
    if (gateway == GatewayChoice.INTERFACE && !mode.isCloud()) {
      problems.contradiction(
          source,
          AgentKey.GATEWAY.key(),
          AgentKey.IPAM.key(),
          "its addresses belong to no interface");
    }
    PoolName pool = new PoolName(AgentKey.DEFAULT_POOL.read(reader));
    Optional<PoolSettings> pools = PoolSettings.read(mode, pool, reader);
    List<Cidr> nativeRouting = nativeRouting(mode, families, reader);
    AgentConfig config =
        new AgentConfig(
            mode,
            updateRate,
            pool,
            pools,
            NodeIds.read(mode, families, reader),
            AgentKey.QUARANTINE.read(reader),
            families,
            new CoolingRule(pause, floor),
            AgentKey.ADD_WAIT.read(reader),
            AgentKey.RESULT_PREFIX.read(reader),
            gateway,
            nativeRouting,
            AgentKey.HEALTH_CHECKING.read(reader),
            machine(reader),
            AgentKey.ENABLE_METRICS.read(reader),
            AgentKey.START_WAIT.read(reader),
            Path.of(AgentKey.SOCKET.read(reader)),
            Path.of(AgentKey.STATE.read(reader)));
    problems.throwIfAny();
    return config;
  }

  /** Other modes have nothing that lists them. */
  private static List<Cidr> nativeRouting(
      AgentKey.Mode mode, Set<IpFamily> families, ConfigReader reader) {
    List<Cidr> found = new ArrayList<>();
    for (IpFamily family : IpFamily.values()) {
      Option<String> key =
          family == IpFamily.IPV4 ? AgentKey.IPV4_NATIVE_ROUTING : AgentKey.IPV6_NATIVE_ROUTING;
      String text = key.read(reader);
      Optional<Cidr> cidr = Cidr.tryParse(text).filter(each -> each.family() == family);
      if (cidr.isEmpty() && !text.isEmpty()) {
        reader
            .problems()
            .invalid(reader.source(), key.key(), "an " + family + " CIDR without host bits");
      }
      if (mode == AgentKey.Mode.ENI && families.contains(family)) {
        cidr.ifPresent(found::add);
      }
    }
    return found;
  }

  private static Machine.Settings machine(ConfigReader reader) {
    return new Machine.Settings(
        Optional.of(AgentKey.INSTANCE_ID.read(reader)).filter(id -> !id.isEmpty()),
        EndpointText.readMetadata(reader, AgentKey.METADATA_ENDPOINT.key())
            .orElse(Machine.METADATA),
        AgentKey.CHECK_INTERFACES.read(reader));
  }

  /** Whether the agent writes into an existing object of its node. */
  boolean writes() {
    return pools.isPresent() || mode.pool().isPresent();
  }

  /** The pool that must have addresses for an ADD to be served; none if it is filled on demand. */
  PoolName needed() {
    return pools.map(it -> it.isAskedInAdvance(pool)).orElse(true) ? pool : PoolName.NOT_GIVEN;
  }
}
