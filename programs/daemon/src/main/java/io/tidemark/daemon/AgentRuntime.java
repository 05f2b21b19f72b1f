package io.tidemark.daemon;

import io.tidemark.agent.sync.NodePart;
import io.tidemark.agent.sync.NodeSync;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric.Prefix;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The means of a running agent.
 *
 * @param scheduler its clock and timer
 * @param requests where requests to the backend run
 * @param lane runs one task at a time, in order
 */
record AgentRuntime(
    TaskScheduler scheduler,
    EffectRunner requests,
    Executor lane,
    RandomGenerator random,
    Meters metrics) {
  private static final Duration REQUEST_MAX = Duration.ofSeconds(30);

  /** Follows the object of a node and writes what {@code part} says, once it is started. */
  NodeSync sync(
      String node,
      AgentConfig config,
      Set<IpFamily> families,
      NodeResourceStore store,
      NodePart part) {
    return new NodeSync(
        new NodeSync.Settings(
            node,
            families,
            config.updateRate(),
            REQUEST_MAX,
            Optional.empty(),
            metrics.trigger(Prefix.AGENT, "ipam_sync")),
        store,
        requests,
        scheduler,
        lane,
        part);
  }
}
