package io.tidemark.node;

import io.tidemark.demand.LearnedDemand;
import io.tidemark.demand.NodeSpare;
import io.tidemark.error.CoreError;
import io.tidemark.metrics.Metric;
import io.tidemark.metrics.Metric.Prefix;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.node.exhaustion.ExhaustedNodes;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TimeSource;
import io.tidemark.time.TriggerKind;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that all nodes of one manager share.
 *
 * @param passes what the triggers of passes share (node-manager 3.1)
 * @param writes what the triggers of writes of the resource share
 * @param reads what the triggers of reads of the instance share
 * @param demand of the cluster's pods; learns in the mode that follows it
 * @param exhausted nodes without an address for another pod
 * @param clusterSize number of nodes now; scales back-off
 * @param changed takes the name of a node whose report may have changed; any thread
 */
record NodeEnvironment(
    EngineConfig config,
    NodeManagerPorts ports,
    NodeMeters meters,
    InstancesApiReadiness readiness,
    TriggerKind passes,
    TriggerKind writes,
    TriggerKind reads,
    LearnedDemand demand,
    ExhaustedNodes exhausted,
    IntSupplier clusterSize,
    Consumer<String> changed) {
  private static final Duration MIN_INTERVAL = Duration.ofMillis(10);

  /** A promise kept at the last moment may arrive a little late. */
  private static final long GRACE_NANOS = Duration.ofSeconds(1).toNanos();

  private static final Logger LOG = LoggerFactory.getLogger(NodeEnvironment.class);

  static NodeEnvironment of(
      EngineConfig config,
      NodeManagerPorts ports,
      InstancesApiReadiness readiness,
      IntSupplier clusterSize,
      Consumer<String> changed) {
    return new NodeEnvironment(
        config,
        ports,
        new NodeMeters(ports.metrics()),
        readiness,
        kind("deficit_resolver", ports),
        kind("k8s_sync", ports),
        kind("resync", ports),
        new LearnedDemand(),
        new ExhaustedNodes(
            ports.taintedNodes(),
            tainted -> ports.metrics().gauge(Metric.NODES_TAINTED).set(tainted)),
        clusterSize,
        changed);
  }

  private static TriggerKind kind(String name, NodeManagerPorts ports) {
    return new TriggerKind(
        name, MIN_INTERVAL, ports.scheduler(), ports.metrics().trigger(Prefix.IPAM, name));
  }

  long now() {
    return ports.scheduler().time().nanos();
  }

  /** Learns the spare addresses of a node; empty where they are static. */
  Optional<NodeSpare> spareByDemand(NodeResource resource) {
    TimeSource time = ports.scheduler().time();
    return config
        .demand()
        .map(
            settings ->
                new NodeSpare(demand, settings, time, resource.nodeGroup(), resource.created()));
  }

  /** Pause before attempt {@code failures + 1}, 1 or more failures. */
  long backoffNanos(int failures) {
    return config.backoff().pause(failures, clusterSize.getAsInt(), ports.random()).toNanos();
  }

  Duration since(long nanos) {
    return Duration.ofNanos(now() - nanos);
  }

  /** The earlier of two monotonic instants; {@code candidate} counts when it is after now. */
  static OptionalLong earlier(OptionalLong known, OptionalLong candidate, long now) {
    if (candidate.isEmpty() || candidate.getAsLong() - now <= 0) {
      return known;
    }
    return known.isEmpty() || candidate.getAsLong() - known.getAsLong() < 0 ? candidate : known;
  }

  /**
   * Asks the provider and holds it to its promise: whatever it does, the stage ends, a second after
   * {@code deadlineNanos} at the latest. What it throws, and an answer that is not there by then,
   * is a defect of the provider, which is logged, and counts as a failure of {@code kind}
   * (docs/architecture.md).
   */
  <T> CompletionStage<T> ask(
      long deadlineNanos,
      Failure.Kind kind,
      Function<Failure, T> failed,
      Supplier<CompletionStage<T>> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Cancellable timer =
        ports
            .scheduler()
            .at(
                deadlineNanos + GRACE_NANOS,
                () ->
                    answer.completeExceptionally(
                        new TimeoutException("the provider did not answer by the deadline")));
    try {
      question
          .get()
          .whenComplete(
              (value, thrown) -> {
                timer.cancel();
                if (thrown == null) {
                  answer.complete(value);
                } else {
                  answer.completeExceptionally(thrown);
                }
              });
    } catch (RuntimeException thrown) {
      timer.cancel();
      answer.completeExceptionally(thrown);
    }
    return answer.exceptionally(thrown -> failed.apply(brokenPromise(kind, thrown)));
  }

  private static Failure brokenPromise(Failure.Kind kind, Throwable thrown) {
    CoreError code = CoreError.PROVIDER_BROKE_CONTRACT;
    LOG.error(
        "{} {}: it failed instead of answering. {}", code.label(), code, code.remedy(), thrown);
    return Failure.of(
        kind,
        "providerFailed",
        code.label() + " " + code + ": failed instead of answering: " + thrown);
  }
}
