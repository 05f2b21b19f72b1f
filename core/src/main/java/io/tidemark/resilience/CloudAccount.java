package io.tidemark.resilience;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.tidemark.metrics.CloudApiMetrics;
import io.tidemark.resilience.CloudCallsConfig.Pacing;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What all calls to one account and region share, whoever sends them: a bucket and a share of the
 * workers per kind, and a breaker each for reads and changes. Thread-safe.
 */
final class CloudAccount {
  private final String name;
  private final CloudCallsConfig config;
  private final TaskScheduler scheduler;
  private final CloudApiMetrics metrics;
  private final CallCounters counters;
  private final LearnedRates learned;
  private final Optional<Pump> sharedPump;
  private final CircuitBreaker reads;
  private final CircuitBreaker changes;
  private final Map<CallKind, TokenQueue> queues = new ConcurrentHashMap<>();

  /**
   * @param sharedPump the pump of all queues when there is a ceiling over all calls
   */
  CloudAccount(
      String name,
      CloudCallsConfig config,
      TaskScheduler scheduler,
      CloudApiMetrics metrics,
      CallCounters counters,
      LearnedRates learned,
      Optional<Pump> sharedPump) {
    this.name = name;
    this.config = config;
    this.scheduler = scheduler;
    this.metrics = metrics;
    this.counters = counters;
    this.learned = learned;
    this.sharedPump = sharedPump;
    this.reads = breaker("reads");
    this.changes = breaker("changes");
  }

  private CircuitBreaker breaker(String effect) {
    CircuitBreaker breaker =
        BreakerLayer.breaker(name + "/" + effect, config.breaker(), scheduler.time());
    metrics.heldBack(effect, false);
    breaker
        .getEventPublisher()
        .onStateTransition(
            event ->
                metrics.heldBack(
                    effect,
                    event.getStateTransition().getToState() != CircuitBreaker.State.CLOSED));
    return breaker;
  }

  /** The queue of one kind; the limits of whoever asks first count. */
  TokenQueue queue(CallKind kind, CallLimits limits) {
    return queues.computeIfAbsent(kind, k -> make(k, limits));
  }

  private TokenQueue make(CallKind kind, CallLimits limits) {
    Pump pump = sharedPump.orElseGet(() -> new Pump(scheduler, Optional.empty()));
    String fullName = name + "/" + kind.name();
    TokenQueue.Parts parts =
        new TokenQueue.Parts(
            kind,
            config.maxWaiting(),
            law(limits),
            learned.of(name, kind.name()),
            workers(fullName),
            kind.effect() == CallKind.Effect.READ ? reads : changes,
            counters.of(kind.name()));
    TokenQueue queue = new TokenQueue(fullName, parts, pump, metrics);
    pump.serve(queue);
    return queue;
  }

  private BucketLaw law(CallLimits limits) {
    return switch (config.pacing()) {
      case ADAPTIVE -> BucketLaw.adaptive(limits.callsPerSecond(), limits.burst());
      case FIXED -> BucketLaw.fixed(limits.callsPerSecond(), limits.burst());
      case NONE -> BucketLaw.none();
    };
  }

  private Bulkhead workers(String fullName) {
    return Bulkhead.of(
        fullName,
        BulkheadConfig.custom()
            .maxConcurrentCalls(config.workersPerKind())
            .maxWaitDuration(Duration.ZERO)
            .fairCallHandlingStrategyEnabled(false)
            .build());
  }

  /** What is known of the cloud's limits by now; empty while the buckets do not adapt. */
  List<LearnedRates.Estimate> estimates() {
    if (config.pacing() != Pacing.ADAPTIVE) {
      return List.of();
    }
    return queues.values().stream()
        .map(
            queue ->
                new LearnedRates.Estimate(
                    name, queue.kind().name(), queue.bucket().bucket().perSecond()))
        .toList();
  }
}
