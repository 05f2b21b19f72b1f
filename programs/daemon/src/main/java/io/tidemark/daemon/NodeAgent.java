package io.tidemark.daemon;

import io.tidemark.daemon.cni.CniHandler;
import io.tidemark.daemon.cni.CniStartup;
import io.tidemark.error.IpamException;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.DiskFiles;
import io.tidemark.http.HttpLimits;
import io.tidemark.http.HttpListener;
import io.tidemark.program.endpoint.Endpoints;
import io.tidemark.program.endpoint.Metering;
import io.tidemark.time.Lanes;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.StopSignal;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import io.tidemark.time.WorkerPool;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
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
  private static final String LOCK = "agent.lock";
  private static final String STATE = "attachments.json";
  private static final int LANE_THREADS = 2;
  private static final int LANE_QUEUE = 100_000;
  private static final int REQUESTS = 4;
  private static final int REQUEST_QUEUE = 100;

  /**
   * A node starts at most some hundred pods at a time, each with a few kilobytes. The plugin waits
   * for a response no longer than it has time here.
   */
  private static final HttpLimits PLUGINS =
      new HttpLimits(
          256,
          8 << 10,
          128 << 10,
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ZERO);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private String origin = "";
  private int httpPort;

  private NodeAgent() {}

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
      AgentNode node,
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
      AgentNode node,
      AgentConfig config,
      InetSocketAddress http,
      StopSignal stop,
      RandomGenerator random)
      throws IOException, InterruptedException, ExecutionException {
    // Two agents of one folder would give the same addresses twice.
    Path folder = config.state();
    with(StateLock.require(folder.resolve(LOCK), folder, DaemonError.STATE_IN_USE, "agent"));
    Metering metering = with(Metering.ofNode(config.metrics()));
    AgentProbes probes = new AgentProbes(node.name());
    httpPort = with(Endpoints.start(http.getAddress(), http.getPort(), metering, probes)).port();
    ThreadTaskScheduler scheduler = with(ThreadTaskScheduler.start("timer", SystemTime.instance()));
    WorkerPool workers = with(new WorkerPool("lane", LANE_THREADS, LANE_QUEUE));
    PooledEffectRunner requests =
        with(new PooledEffectRunner("request", REQUESTS, REQUEST_QUEUE, scheduler));
    Lanes lanes = new Lanes(workers, LANE_THREADS);
    AtomicFile state = new AtomicFile(folder.resolve(STATE), new DiskFiles());
    AddressModes modes =
        new AddressModes(
            node,
            config,
            new AgentRuntime(scheduler, requests, lanes.lane(), random, metering.meters()),
            stop,
            parts::push);
    probes.watches(modes::lateWatches);
    metering.watches(modes::watchAges);
    Optional<AddressModes.Served> opened = modes.open(() -> CniStartup.remembered(state));
    if (opened.isEmpty()) {
      return false;
    }
    AddressModes.Served served = opened.get();
    origin = served.origin();
    CniStartup.Started started =
        new CniStartup(lanes.lane(), scheduler, requests, node.name())
            .start(
                state,
                BootId.read(),
                served.ipam(),
                metering.meters(),
                new CniStartup.Service(
                    served.networks(),
                    config.pool(),
                    config.prefix(),
                    config.gateway(),
                    config.health(),
                    config.addWait(),
                    config.cooling().pause(),
                    config.needed(),
                    memory -> served.pools().ifPresent(each -> each.keptBy(memory))))
            .toCompletableFuture()
            .get();
    if (served.pools().isPresent() && !served.pools().get().await(config.startWait(), stop)) {
      return false;
    }
    started.pools().run();
    CniHandler handler = started.handler();
    HttpListener listener = with(SocketFile.serve(config.socket(), PLUGINS, handler));
    probes.serves(
        served.ipam(),
        handler,
        listener,
        () -> served.pools().map(MultiPoolAddresses::all).orElse(List.of()));
    return true;
  }

  String origin() {
    return origin;
  }

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
