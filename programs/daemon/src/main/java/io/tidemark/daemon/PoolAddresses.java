package io.tidemark.daemon;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.CrdNode;
import io.tidemark.agent.crd.InterfaceCatalog;
import io.tidemark.agent.sync.NodeSync;
import io.tidemark.daemon.cni.NodeNetworks;
import io.tidemark.daemon.machine.Machine;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.kit.Change;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.UsedAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of a node whose pool is in its object: the object is followed, and what is in use
 * is written into its status. The object of another instance counts as none.
 */
final class PoolAddresses implements NodeNetworks, AutoCloseable {
  private static final String ROUTER = "router";

  private final String name;
  private final CrdMode mode;
  private final Machine machine;
  private final List<Cidr> nativeRouting;
  private final NodeResourceStore store;
  private final NodeSync sync;
  private final Ipam ipam;
  private volatile @Nullable Seen seen;

  /**
   * Begins to follow the object.
   *
   * @param machine that the object must be of
   * @param families that are served
   * @param builder without an allocator
   */
  PoolAddresses(
      String name,
      CrdMode mode,
      Machine machine,
      AgentConfig config,
      Set<IpFamily> families,
      NodeResourceStore store,
      IpamBuilder builder,
      AgentRuntime runtime) {
    this.name = name;
    this.mode = mode;
    this.machine = machine;
    this.nativeRouting = config.nativeRouting();
    this.store = store;
    CrdNode node =
        CrdNode.of(
            new CrdNode.Settings(
                name,
                mode,
                machine.instance(),
                config.pool(),
                families,
                config.updateRate().multipliedBy(2),
                config.quarantine(),
                config.nativeRouting()),
            machine.interfaces(),
            runtime.scheduler().time(),
            runtime.random(),
            builder);
    this.sync = runtime.sync(name, config, families, store, node);
    this.ipam = builder.upstream(sync).build();
    node.serve(ipam);
    sync.start();
  }

  Ipam ipam() {
    return ipam;
  }

  /** The newest version, or the last one that was used while there is none. */
  private Stream<NodeResource> node() {
    Seen last = seen;
    return store
        .latest(name)
        .filter(it -> mode.isOf(machine.instance(), it))
        .or(() -> Optional.ofNullable(last).map(Seen::node))
        .stream();
  }

  private record Seen(NodeResource node, InterfaceCatalog interfaces) {}

  @SuppressWarnings("ReferenceEquality")
  private InterfaceCatalog interfaces(NodeResource node) {
    Seen last = seen;
    if (last == null || last.node() != node) {
      last = new Seen(node, InterfaceCatalog.of(mode, node, nativeRouting));
      seen = last;
    }
    return last.interfaces();
  }

  @Override
  public List<Cidr> cidrs() {
    return node()
        .flatMap(node -> interfaces(node).ipv4().values().stream())
        .flatMap(each -> each.subnet().stream())
        .distinct()
        .toList();
  }

  /** An address that left the pool keeps the interface that is noted for it. */
  @Override
  public Optional<InterfaceDetails> interfaceOf(IpAddress ip) {
    return node()
        .flatMap(
            node ->
                node
                    .pool()
                    .resource(ip)
                    .or(
                        () ->
                            Optional.ofNullable(node.usedEntries().get(ip))
                                .map(UsedAddress::resource))
                    .flatMap(id -> interfaces(node).find(id, ip.family()))
                    .stream())
        .findFirst();
  }

  /** The one that the object names, if the agent has lost its file; else any of the pool. */
  @Override
  public Stream<IpAddress> gateways(Cidr network) {
    return Stream.concat(
            published(ROUTER).stream().filter(network::contains),
            node().flatMap(node -> node.pool().addresses().within(network).toList().stream()))
        .distinct();
  }

  /** An interface in another subnet can be attached at any time. */
  @Override
  public Change change() {
    return Change.APPEAR;
  }

  @Override
  public List<IpAddress> published(String owner) {
    return node()
        .flatMap(node -> node.usedEntries().entrySet().stream())
        .filter(each -> each.getValue().owner().equals(owner))
        .map(Map.Entry::getKey)
        .toList();
  }

  @Override
  public void close() {
    sync.close();
  }
}
