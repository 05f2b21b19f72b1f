package io.tidemark.daemon;

import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.CrdNode;
import io.tidemark.agent.crd.InterfaceCatalog;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.agent.crd.StartRule;
import io.tidemark.agent.sync.NodeSync;
import io.tidemark.daemon.cni.NodeNetworks;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.manifests.DirectoryNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The addresses of a node whose pool is in its object, in a folder of manifests: the object is
 * followed, and what is in use is written into its status. Interfaces are taken to be here, because
 * a folder may describe a machine that does not exist.
 */
final class PoolAddresses implements NodeNetworks, AutoCloseable {
  private static final Duration REQUEST_MAX = Duration.ofSeconds(30);
  private static final long LOOK_MILLIS = 200;

  private final String name;
  private final CrdMode mode;
  private final Set<IpFamily> families;
  private final DirectoryNodeResourceStore store;
  private final NodeSync sync;
  private final Ipam ipam;

  /**
   * Begins to follow the object.
   *
   * @param families that are served
   * @param lane runs one task at a time, in order
   * @param builder without an allocator
   */
  PoolAddresses(
      String name,
      CrdMode mode,
      AgentConfig config,
      Set<IpFamily> families,
      DirectoryNodeResourceStore store,
      TaskScheduler scheduler,
      EffectRunner requests,
      Executor lane,
      RandomGenerator random,
      IpamBuilder builder) {
    this.name = name;
    this.mode = mode;
    this.families = families;
    this.store = store;
    CrdNode node =
        CrdNode.of(
            new CrdNode.Settings(
                name,
                mode,
                Optional.empty(),
                config.pool(),
                families,
                config.updateRate().multipliedBy(2),
                List.of()),
            LocalInterfaces.ALL,
            scheduler.time(),
            random,
            builder);
    this.sync =
        new NodeSync(
            new NodeSync.Settings(
                name, families, config.updateRate(), REQUEST_MAX, Optional.empty()),
            store,
            requests,
            scheduler,
            lane,
            node);
    this.ipam = builder.upstream(sync).build();
    node.serve(ipam);
    sync.start();
  }

  /**
   * Waits until the pool has as many addresses as the node must have, of one family at least.
   * Blocks the calling thread and reads the folder.
   *
   * @return the families that it has, of those asked for
   * @throws IpamException with {@code NODE_WITHOUT_ADDRESSES} after {@code patience}
   */
  static Set<IpFamily> await(
      DirectoryNodeResourceStore store, String name, Set<IpFamily> families, Duration patience)
      throws InterruptedException {
    StartRule rule = new StartRule(false);
    for (long waited = 0; ; waited += LOOK_MILLIS) {
      store.load();
      Optional<NodeResource> node = store.latest(name);
      Set<IpFamily> found = EnumSet.noneOf(IpFamily.class);
      for (IpFamily family : families) {
        int least = node.map(it -> rule.required(it.ipam())).orElse(1);
        if (node.map(it -> count(it, family)).orElse(0) >= least) {
          found.add(family);
        }
      }
      if (!found.isEmpty()) {
        return found;
      }
      if (waited >= patience.toMillis()) {
        throw new IpamException(
            DaemonError.NODE_WITHOUT_ADDRESSES,
            node.isEmpty()
                ? "there is no node " + name
                : "spec.ipam.pool of node " + name + " has too few addresses");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** Waits until the facade has the addresses that {@link #await} found; blocks the thread. */
  Ipam awaitAddresses(Duration patience) throws InterruptedException {
    for (long waited = 0; waited < patience.toMillis(); waited += LOOK_MILLIS) {
      if (ipam.snapshot().size() == families.size()) { // a pool without addresses is not there
        return ipam;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    throw new IpamException(
        DaemonError.NODE_WITHOUT_ADDRESSES, "the pool of node " + name + " has become empty");
  }

  private static int count(NodeResource node, IpFamily family) {
    return (int)
        node.pool().addresses().toList().stream()
            .filter(ip -> ip.family() == family && !node.releaseIps().containsKey(ip))
            .count();
  }

  private Stream<NodeResource> node() {
    return store.latest(name).stream();
  }

  @Override
  public List<Cidr> cidrs() {
    return node()
        .flatMap(node -> InterfaceCatalog.of(mode, node, List.of()).ipv4().values().stream())
        .flatMap(each -> each.subnet().stream())
        .distinct()
        .toList();
  }

  @Override
  public Stream<IpAddress> gateways(Cidr network) {
    return node().flatMap(node -> node.pool().addresses().within(network).toList().stream());
  }

  @Override
  public void close() {
    sync.close();
  }
}
