package io.tidemark.daemon;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.crd.InterfaceCatalog;
import io.tidemark.agent.eni.NativeRouting;
import io.tidemark.agent.multipool.CidrMemory;
import io.tidemark.agent.multipool.MultiPool;
import io.tidemark.agent.multipool.PoolCidr;
import io.tidemark.agent.multipool.RememberedCidr;
import io.tidemark.agent.sync.NodeSync;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.daemon.cni.NodeNetworks;
import io.tidemark.daemon.machine.Machine;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.kit.Change;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.StopSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of a node whose pools consist of CIDRs: the object is followed, and demand and
 * CIDRs are written into its spec. With the CIDRs of interfaces, the object of another instance
 * counts as none.
 */
final class MultiPoolAddresses implements NodeNetworks, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MultiPoolAddresses.class);

  private final AgentNode node;
  private final AgentConfig config;
  private final PoolSettings settings;
  private final NodeBackend nodes;
  private final Machine machine;
  private final MultiPool pools;
  private final NodeSync sync;

  /**
   * Begins to follow the object; nothing is written before restoration.
   *
   * @param machine that the object must be of
   * @param remembered what the process before kept; empty without such a record
   * @param nodes has the object
   * @param builder without pools, upstream and metrics
   */
  MultiPoolAddresses(
      AgentNode node,
      Machine machine,
      AgentConfig config,
      PoolSettings settings,
      Optional<List<RememberedCidr>> remembered,
      NodeBackend nodes,
      IpamBuilder builder,
      AgentRuntime runtime) {
    this.node = node;
    this.config = config;
    this.settings = settings;
    this.nodes = nodes;
    this.machine = machine;
    this.pools =
        new MultiPool(
            settings.ofInterfaces() ? builder : builder.metadata(nodes.podPools()),
            settings.rules(config.families(), config.updateRate()),
            settings.source(config.pool(), machine.interfaces(), config.nativeRouting()),
            new MultiPool.Origin(machine.instance(), runtime.random().nextLong(), remembered),
            runtime.scheduler().time(),
            runtime.metrics());
    this.sync = runtime.sync(node.name(), config, config.families(), nodes.store(), pools);
    pools.publishedBy(sync);
    sync.start();
  }

  Ipam ipam() {
    return pools.ipam();
  }

  /** Sets what keeps the state of the CIDRs over a restart; before restoration. */
  void keptBy(CidrMemory memory) {
    pools.keptBy(memory);
  }

  /** The state of each CIDR; from any thread. */
  List<PoolCidr> all() {
    return pools.cidrs();
  }

  String origin() {
    return settings.origin();
  }

  /**
   * Waits until every pool that is asked for in advance has addresses of each family, after
   * restoration. When only some have at the end of {@code patience}, they are served. Blocks the
   * calling thread.
   *
   * @return whether there are any; if not, the agent is to stop
   * @throws IpamException with {@code NODE_WITHOUT_ADDRESSES} when no pool has any, or with {@code
   *     ROUTING_CIDR_CONTRADICTS}
   */
  boolean await(Duration patience, StopSignal stop) throws InterruptedException {
    StartWait wait = new StartWait(nodes, node, stop);
    long waitMax = patience.toMillis();
    boolean served =
        wait.holds(
            () -> missing().isEmpty() || (wait.waitedMillis() >= waitMax && servesSome(wait)),
            () -> lacking(wait),
            waitMax);
    object().ifPresent(it -> NativeRouting.require(it, config.nativeRouting()));
    return served;
  }

  private String lacking(StartWait wait) {
    return object().isPresent()
        ? origin()
            + " of node "
            + node.name()
            + " has no address of "
            + String.join(", ", missing())
        : wait.absent(machine);
  }

  private boolean servesSome(StartWait wait) {
    boolean some = present().anyMatch(this::isWhole);
    if (some) {
      LOG.warn("The agent serves the pools that it has. missing={}", lacking(wait));
    }
    return some;
  }

  /** The pools that are asked for in advance and have none of a family. */
  private List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (PoolName pool : new TreeSet<>(settings.preAllocation().keySet())) {
      for (IpFamily family : new TreeSet<>(config.families())) {
        if (settings.isAskedInAdvance(pool) && !has(pool, family)) {
          missing.add("pool " + pool + " (" + family + ")");
        }
      }
    }
    return missing;
  }

  private Stream<PoolName> present() {
    return pools.cidrs().stream().map(PoolCidr::pool).distinct();
  }

  private boolean isWhole(PoolName pool) {
    return config.families().stream().allMatch(family -> has(pool, family));
  }

  private boolean has(PoolName pool, IpFamily family) {
    return pools.cidrs().stream()
        .anyMatch(it -> it.isHeld() && it.pool().equals(pool) && it.cidr().family() == family);
  }

  // ---- networks

  @Override
  public List<Cidr> cidrs() {
    if (!settings.ofInterfaces()) {
      return pools.cidrs().stream().filter(PoolCidr::isHeld).map(PoolCidr::cidr).toList();
    }
    return interfaces().stream()
        .flatMap(it -> it.ipv4().values().stream())
        .flatMap(each -> each.subnet().stream())
        .distinct()
        .toList();
  }

  @Override
  public Stream<IpAddress> gateways(Cidr network) {
    return settings.ofInterfaces()
        ? object().stream().flatMap(it -> it.pool().addresses().within(network).toList().stream())
        : NodeNetworks.of(List.of(network)).gateways(network);
  }

  private Optional<NodeResource> object() {
    Optional<String> instance = machine.instance();
    return nodes
        .store()
        .latest(node.name())
        .filter(it -> !settings.ofInterfaces() || settings.cloud().isOf(instance, it));
  }

  private Optional<InterfaceCatalog> interfaces() {
    return object().map(it -> InterfaceCatalog.of(settings.cloud(), it, config.nativeRouting()));
  }

  @Override
  public Optional<InterfaceDetails> interfaceOf(IpAddress ip) {
    return settings.ofInterfaces()
        ? interfaces()
            .flatMap(
                all ->
                    all.addresses().entrySet().stream()
                        .filter(each -> each.getValue().contains(ip))
                        .findFirst()
                        .flatMap(each -> all.find(each.getKey(), ip.family())))
        : Optional.empty();
  }

  @Override
  public Change change() {
    return Change.COME_AND_GO;
  }

  @Override
  public void close() {
    sync.close();
  }
}
