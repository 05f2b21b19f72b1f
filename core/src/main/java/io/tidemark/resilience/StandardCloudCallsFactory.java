package io.tidemark.resilience;

import io.tidemark.metrics.CloudApiMetrics;
import io.tidemark.metrics.NoMetrics;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * The cloud door of a process: all accounts, the workers and the ceiling they share, and the
 * counts. Thread-safe; owns no thread.
 */
public final class StandardCloudCallsFactory implements CloudCallsFactory {
  private final CallEnvironment environment;
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
    this.environment =
        new CallEnvironment(
            Objects.requireNonNull(config, "config"),
            Objects.requireNonNull(scheduler, "scheduler"),
            Objects.requireNonNull(runner, "runner"),
            new SharedRandom(Objects.requireNonNull(random, "random")),
            Objects.requireNonNull(metrics, "metrics"),
            Objects.requireNonNull(learned, "learned"),
            Objects.requireNonNull(fence, "fence"),
            config.ceiling().map(ceiling -> new TokenDispatcher(scheduler, ceiling)),
            new AtomicLong());
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
    return accounts
        .computeIfAbsent(policy.account(), name -> new CloudAccount(name, environment))
        .calls(policy);
  }

  /** Requests sent so far, over all accounts. */
  public CallCounts counts() {
    SortedMap<String, Long> sent = new TreeMap<>();
    SortedMap<String, Long> throttled = new TreeMap<>();
    accounts.values().forEach(account -> account.addCounts(sent, throttled));
    return new CallCounts(sent, throttled);
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

  /** A generator that several threads may use; on one thread it draws what the given one draws. */
  private static final class SharedRandom implements RandomGenerator {
    private final RandomGenerator random;

    SharedRandom(RandomGenerator random) {
      this.random = random;
    }

    @Override
    public synchronized long nextLong() {
      return random.nextLong();
    }
  }
}
