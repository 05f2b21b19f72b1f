package io.tidemark.daemon;

import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.StartRule;
import io.tidemark.agent.delegated.DelegatedAllocator;
import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.config.ConfigSource;
import io.tidemark.daemon.cni.CniHandler;
import io.tidemark.daemon.cni.CniStartup;
import io.tidemark.daemon.cni.NodeNetworks;
import io.tidemark.daemon.machine.Machine;
import io.tidemark.daemon.socket.SocketLimits;
import io.tidemark.daemon.socket.UnixListener;
import io.tidemark.error.IpamException;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.DiskFiles;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.program.endpoint.Endpoints;
import io.tidemark.program.endpoint.Metering;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.Lanes;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.StopSignal;
import io.tidemark.time.SystemTime;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.ThreadTaskScheduler;
import io.tidemark.time.WorkerPool;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running agent: its threads, its folder, its socket and its port. Used by the program's main
 * thread.
 */
final class NodeAgent implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeAgent.class);
  private static final int LANE_THREADS = 2;
  private static final int LANE_QUEUE = 100_000;
  private static final int REQUESTS = 4;
  private static final int REQUEST_QUEUE = 100;

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private String origin = "";
  private int httpPort;

  private NodeAgent() {}

  /**
   * The node that an agent runs on.
   *
   * @param source opens what has its object
   * @param place of the object, for people
   */
  record Node(String name, NodeBackend.Opener source, String place) {}

  /**
   * Starts and serves. Blocks the program's main thread until requests are answered.
   *
   * @param node whose addresses it serves; it writes into the status of its object, if they are in
   *     the pool of that
   * @param http where metrics and health are served; port 0 for any
   * @return empty when it is stopped before
   * @throws IpamException when it cannot serve
   */
  static Optional<NodeAgent> start(
      Node node,
      AgentConfig config,
      InetSocketAddress http,
      StopSignal stop,
      RandomGenerator random)
      throws InterruptedException {
    NodeAgent agent = new NodeAgent();
    try {
      if (agent.open(node, config, http, stop, random)) {
        return Optional.of(agent);
      }
      agent.close();
      return Optional.empty();
    } catch (IOException | ExecutionException e) {
      agent.close();
      if (e.getCause() instanceof IpamException coded) {
        throw coded;
      }
      throw new IpamException(DaemonError.SOCKET_REFUSED, "the agent cannot serve: " + e, e);
    } catch (RuntimeException | InterruptedException e) {
      agent.close();
      throw e;
    }
  }

  /** Whether it serves; if not, it was stopped. */
  private boolean open(
      Node node,
      AgentConfig config,
      InetSocketAddress http,
      StopSignal stop,
      RandomGenerator random)
      throws IOException, InterruptedException, ExecutionException {
    StateFolder folder = with(StateFolder.open(config.state()));
    Metering metering = with(Metering.ofNode(config.metrics()));
    AgentProbes probes = new AgentProbes(node.name());
    httpPort = with(Endpoints.start(http.getAddress(), http.getPort(), metering, probes)).port();
    ThreadTaskScheduler scheduler = with(ThreadTaskScheduler.start("timer", SystemTime.instance()));
    WorkerPool workers = with(new WorkerPool("lane", LANE_THREADS, LANE_QUEUE));
    PooledEffectRunner requests =
        with(new PooledEffectRunner("request", REQUESTS, REQUEST_QUEUE, scheduler));
    Lanes lanes = new Lanes(workers, LANE_THREADS);
    IpamBuilder builder =
        Ipam.builder(scheduler, random)
            .defaultPool(config.pool())
            .cooling(config.cooling())
            .metrics(metering.allocators());
    AtomicFile state = new AtomicFile(folder.file(), new DiskFiles());
    Optional<MultiPoolAddresses> pools;
    Ipam ipam;
    NodeNetworks networks;
    if (config.mode() == AgentKey.Mode.DELEGATED_PLUGIN) {
      config.families().forEach(family -> builder.allocator(new DelegatedAllocator(family)));
      pools = Optional.empty();
      ipam = builder.build();
      networks = NodeNetworks.of(List.of());
      origin = "the delegated plugin, which has the addresses";
    } else if (config.pools().isPresent()) {
      NodeBackend nodes = nodes(node, scheduler, requests, random);
      Machine machine =
          config.pools().get().ofInterfaces()
              ? Machine.read(CrdMode.ENI, config.machine(), scheduler.time())
              : Machine.ANY;
      MultiPoolAddresses all =
          with(
              new MultiPoolAddresses(
                  node,
                  machine,
                  config,
                  config.pools().get(),
                  CniStartup.remembered(state),
                  nodes,
                  scheduler,
                  requests,
                  lanes.lane(),
                  random,
                  builder,
                  metering.allocators()));
      pools = Optional.of(all);
      ipam = all.ipam();
      networks = all;
      origin = all.origin();
    } else if (config.mode().pool().isPresent()) {
      NodeBackend nodes = nodes(node, scheduler, requests, random);
      CrdMode mode = config.mode().pool().get();
      Machine machine = Machine.read(mode, config.machine(), scheduler.time());
      PoolWait wait =
          new PoolWait(
              nodes, node, mode, machine, new StartRule(config.health()), config.startWait(), stop);
      Optional<Set<IpFamily>> families = wait.families(config.families());
      if (families.isEmpty()) {
        return false;
      }
      PoolAddresses pool =
          with(
              new PoolAddresses(
                  node.name(),
                  mode,
                  machine,
                  config,
                  families.get(),
                  nodes.store(),
                  scheduler,
                  requests,
                  lanes.lane(),
                  random,
                  builder));
      pools = Optional.empty();
      ipam = pool.ipam();
      if (!wait.usable(ipam, families.get())) {
        return false;
      }
      networks = pool;
      origin = "spec.ipam.pool";
    } else {
      NodeBackend nodes = nodes(node, scheduler, requests, random);
      PodCidrWatcher watch = new PodCidrWatcher(node.name(), node.place(), config.families());
      AutoCloseable unusedWatch = with(nodes.store().watch(watch));
      Optional<List<Cidr>> blocks = watch.await(config.startWait(), stop, nodes::trouble);
      if (blocks.isEmpty()) {
        return false;
      }
      blocks.get().forEach(block -> builder.allocator(HostRange.of(block, random.nextLong())));
      pools = Optional.empty();
      ipam = builder.build();
      networks = NodeNetworks.of(blocks.get());
      origin = blocks.get().toString();
    }
    CniHandler handler =
        new CniStartup(lanes.lane(), scheduler, requests, node.name())
            .start(
                state,
                BootId.read(),
                ipam,
                metering.cni(),
                new CniStartup.Service(
                    networks,
                    config.pool(),
                    config.prefix(),
                    config.gateway(),
                    config.health(),
                    config.addWait(),
                    config.cooling().pause(),
                    config.needed(),
                    memory -> pools.ifPresent(each -> each.keptBy(memory))))
            .toCompletableFuture()
            .get();
    if (pools.isPresent() && !pools.get().await(config.startWait(), stop)) {
      return false;
    }
    UnixListener listener =
        with(UnixListener.start(config.socket(), SocketLimits.DEFAULT, scheduler.time(), handler));
    probes.serves(
        ipam, handler, listener, () -> pools.map(MultiPoolAddresses::all).orElse(List.of()));
    return true;
  }

  private NodeBackend nodes(
      Node node, TaskScheduler scheduler, EffectRunner requests, RandomGenerator random) {
    return with(
        node.source()
            .open(
                new NodeBackend.Environment(
                    ConfigSource.of(Map.of()), scheduler, requests, random, false)));
  }

  /** Where the addresses come from, for people. */
  String origin() {
    return origin;
  }

  /** The port of metrics and health. */
  int httpPort() {
    return httpPort;
  }

  private <T extends AutoCloseable> T with(T part) {
    parts.push(part);
    return part;
  }

  /** Ends the socket first, and gives the folder back last. */
  @Override
  public void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        LOG.warn("A part of the agent cannot be closed", e);
      }
    }
  }
}
