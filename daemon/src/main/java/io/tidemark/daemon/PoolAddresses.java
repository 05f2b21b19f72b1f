package io.tidemark.daemon;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.CrdNode;
import io.tidemark.agent.crd.InterfaceCatalog;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.agent.crd.StartRule;
import io.tidemark.agent.sync.NodeSync;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.daemon.cni.NodeNetworks;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.UsedAddress;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.StopSignal;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of a node whose pool is in its object: the object is followed, and what is in use
 * is written into its status. Interfaces are taken to be here, because a folder may describe a
 * machine that does not exist.
 */
final class PoolAddresses implements NodeNetworks, AutoCloseable {
  private static final Duration REQUEST_MAX = Duration.ofSeconds(30);
  private static final Logger LOG = LoggerFactory.getLogger(PoolAddresses.class);
  private static final long LOOK_MILLIS = 200;

  /** A store has read its objects by then. */
  private static final long TELL_MILLIS = 1000;

  private final String name;
  private final CrdMode mode;
  private final Set<IpFamily> families;
  private final NodeResourceStore store;
  private final NodeSync sync;
  private final Ipam ipam;
  private volatile @Nullable Seen seen;

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
      NodeResourceStore store,
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
   * Blocks the calling thread.
   *
   * @return the families that it has, of those asked for; empty when the agent is to stop before
   * @throws IpamException with {@code NODE_WITHOUT_ADDRESSES} after {@code patience}
   */
  static Optional<Set<IpFamily>> await(
      NodeBackend nodes,
      NodeAgent.Node node,
      Set<IpFamily> families,
      Duration patience,
      StopSignal stop)
      throws InterruptedException {
    String told = "";
    NodeResourceStore.Watch watch = nodes.store().watch(new Unheard());
    try {
      for (long waited = 0; ; waited += LOOK_MILLIS) {
        Optional<NodeResource> object = nodes.store().latest(node.name());
        Set<IpFamily> found = object.map(it -> families(it, families)).orElse(Set.of());
        if (!found.isEmpty()) {
          return Optional.of(found);
        }
        if (stop.requested().toCompletableFuture().isDone()) {
          return Optional.empty();
        }
        String why =
            object.isEmpty()
                ? node.place() + " has no node " + node.name()
                : "spec.ipam.pool of node " + node.name() + " has too few addresses";
        if (waited >= patience.toMillis()) {
          List<String> trouble = nodes.trouble();
          throw new IpamException(
              DaemonError.NODE_WITHOUT_ADDRESSES,
              "not within "
                  + patience.toSeconds()
                  + " s: "
                  + (trouble.isEmpty() ? why : String.join("; ", trouble)));
        }
        if (waited >= TELL_MILLIS && !why.equals(told)) {
          LOG.warn("The agent waits for the addresses of its node. cause={}", why);
          told = why;
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } finally {
      watch.close();
    }
  }

  private static Set<IpFamily> families(NodeResource node, Set<IpFamily> wanted) {
    int least = new StartRule(false).required(node.ipam());
    Set<IpFamily> found = EnumSet.noneOf(IpFamily.class);
    wanted.stream().filter(family -> count(node, family) >= least).forEach(found::add);
    return found;
  }

  /** The store reads while it is watched. */
  private static final class Unheard implements NodeResourceStore.Watcher {
    @Override
    public void upserted(NodeResource resource) {
      // the newest version is asked for
    }

    @Override
    public void deleted(String name) {
      // likewise
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      LOG.warn("An object cannot be read. node={} {}", name, problems.get(0));
    }

    @Override
    public void synced() {
      // likewise
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

  /** The newest version, or the last one that was used while there is none. */
  private Stream<NodeResource> node() {
    Seen last = seen;
    return store
        .latest(name)
        .or(() -> Optional.ofNullable(last).map(Seen::node))
        .stream();
  }

  /** The interfaces of a version of the object. */
  private record Seen(NodeResource node, InterfaceCatalog interfaces) {}

  private InterfaceCatalog interfaces(NodeResource node) {
    Seen last = seen;
    if (last == null || last.node() != node) {
      last = new Seen(node, InterfaceCatalog.of(mode, node, List.of()));
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
                node.pool()
                    .resource(ip)
                    .or(
                        () ->
                            Optional.ofNullable(node.usedEntries().get(ip))
                                .map(UsedAddress::resource))
                    .flatMap(id -> interfaces(node).find(id, ip.family()))
                    .stream())
        .findFirst();
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
