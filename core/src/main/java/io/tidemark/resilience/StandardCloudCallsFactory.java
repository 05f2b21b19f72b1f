package io.tidemark.resilience;

import io.github.resilience4j.retry.Retry;
import io.tidemark.metrics.CloudApiMetrics;
import io.tidemark.metrics.NoMetrics;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * The cloud door of a process: all accounts, the workers and the ceiling they share, and the
 * counts. Thread-safe; owns no thread.
 */
public final class StandardCloudCallsFactory implements CloudCallsFactory {
  private final CloudCallsConfig config;
  private final TaskScheduler scheduler;
  private final EffectRunner runner;
  private final RandomGenerator random;
  private final CloudApiMetrics metrics;
  private final LearnedRates learned;
  private final Fence fence;
  private final Optional<Pump> sharedPump;
  private final Tickets tickets;
  private final CallCounters counters = new CallCounters();
  private final Map<String, CloudAccount> accounts = new ConcurrentHashMap<>();

  /**
   * @param runner runs the requests; has at least {@code config.workers()} workers
   * @param random draws pauses and request tokens; seeded with true chance in production, as a
   *     request token must never repeat
   * @param learned what an earlier leader knew, {@link LearnedRates#NONE} when nothing is known
   * @param fence asked before each change is sent; {@link Fence#OPEN} where nobody else can be
   */
  public StandardCloudCallsFactory(
      CloudCallsConfig config,
      TaskScheduler scheduler,
      EffectRunner runner,
      RandomGenerator random,
      CloudApiMetrics metrics,
      LearnedRates learned,
      Fence fence) {
    this.config = Objects.requireNonNull(config, "config");
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    this.runner = Objects.requireNonNull(runner, "runner");
    this.random = new SharedRandom(Objects.requireNonNull(random, "random"));
    this.metrics = Objects.requireNonNull(metrics, "metrics");
    this.learned = Objects.requireNonNull(learned, "learned");
    this.fence = Objects.requireNonNull(fence, "fence");
    this.tickets = new Tickets(scheduler.time(), this.random);
    this.sharedPump =
        config
            .ceiling()
            .map(c -> BucketLaw.fixed(c.callsPerSecond(), c.burst()))
            .map(law -> new Pump(scheduler, Optional.of(law)));
  }

  /** Calls without any pacing, for benchmarks and tests: only as many as there are workers. */
  public static StandardCloudCallsFactory unlimited(
      TaskScheduler scheduler, EffectRunner runner, RandomGenerator random) {
    CloudCallsConfig config =
        CloudCallsConfig.defaults()
            .withPacing(CloudCallsConfig.Pacing.NONE)
            .withWorkers(Integer.MAX_VALUE);
    return new StandardCloudCallsFactory(
        config, scheduler, runner, random, NoMetrics.CLOUD, LearnedRates.NONE, Fence.OPEN);
  }

  /**
   * The door to one account. Two doors to the same account share its buckets and breakers: the
   * cloud does not care who of us calls.
   */
  @Override
  public CloudCalls create(CallPolicy policy) {
    CloudAccount account = accounts.computeIfAbsent(policy.account(), this::account);
    Map<CallKind, TokenQueue> queues = new HashMap<>();
    Map<CallKind, Retry> retries = new HashMap<>();
    policy
        .limits()
        .forEach(
            (kind, limits) -> {
              queues.put(kind, account.queue(kind, limits));
              retries.put(kind, retry(policy.account(), kind, limits));
            });
    return new StandardCloudCalls(
        policy, queues, retries, tickets, scheduler, runner, metrics, fence);
  }

  private CloudAccount account(String name) {
    return new CloudAccount(name, config, scheduler, metrics, counters, learned, sharedPump);
  }

  private Retry retry(String account, CallKind kind, CallLimits limits) {
    return RetryRule.retry(
        account + "/" + kind.name(), kind, limits.attempts(), config.retries(), random);
  }

  /** Requests sent so far, over all accounts. */
  public CallCounts counts() {
    return counters.snapshot();
  }

  /** What was learned about the clouds' limits so far, in a stable order. */
  public LearnedRates learnedRates() {
    List<LearnedRates.Estimate> all =
        accounts.values().stream()
            .flatMap(account -> account.estimates().stream())
            .sorted(
                Comparator.comparing(LearnedRates.Estimate::account)
                    .thenComparing(LearnedRates.Estimate::operation))
            .toList();
    return new LearnedRates(all);
  }
}
