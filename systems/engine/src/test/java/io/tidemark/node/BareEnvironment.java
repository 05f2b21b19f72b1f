package io.tidemark.node;

import io.tidemark.cluster.ClosedNodes;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.TaintedNodes;
import io.tidemark.metrics.TestMeters;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.time.BackoffPolicy;
import io.tidemark.time.EffectFate;
import io.tidemark.time.Lanes;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.Random;
import java.util.random.RandomGenerator;

/** The parts that the components of a node share, without a manager: for tests of one part. */
final class BareEnvironment {
  final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  final ScriptedProvider provider = new ScriptedProvider();
  final TestMeters metrics = new TestMeters();

  /** Pods that the kubelet of every node takes. */
  OptionalInt maxPods = OptionalInt.empty();

  /** The result of every draw, from 0 to below 1. */
  double draw;

  private final RandomGenerator random =
      new Random(1) {
        private static final long serialVersionUID = 1L;

        @Override
        public double nextDouble() {
          return draw;
        }
      };

  /** Back-off is drawn from nothing: every pause is its bound. */
  static final BackoffPolicy PLAIN =
      new BackoffPolicy(
          Duration.ofSeconds(1), 2, Duration.ofMinutes(5), false, true, Duration.ofMinutes(10));

  NodeEnvironment of(EngineConfig config) {
    NodeManagerPorts ports =
        new NodeManagerPorts(
            provider,
            server.client(time),
            time,
            new Lanes(time, 1),
            time.effects((site, timeout) -> EffectFate.answered(Duration.ZERO, Duration.ZERO)),
            metrics.meters,
            node -> OptionalInt.empty(),
            node -> maxPods,
            ClosedNodes.NONE,
            random,
            ObjectEvents.NONE,
            TaintedNodes.NONE);
    EngineConfig plain =
        new EngineConfig(
            config.clusterName(),
            config.profile(),
            config.maintenance(),
            config.release(),
            config.demand(),
            PLAIN,
            config.ceiling());
    return NodeEnvironment.of(
        plain, ports, new InstancesApiReadiness(ready -> {}, () -> {}), () -> 0, name -> {});
  }

  /** Time goes on. */
  void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }
}
