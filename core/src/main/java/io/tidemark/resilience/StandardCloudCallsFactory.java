package io.tidemark.resilience;

import io.tidemark.metrics.Meters;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * The cloud calls of a process: all accounts, their shared workers and ceiling, and the counts.
 * Thread-safe; owns no thread.
 */
public final class StandardCloudCallsFactory implements CloudCallsFactory {
  private final CallEnvironment environment;
  private final Optional<TokenDispatcher> ceiling;
  private final Map<String, CloudAccount> accounts = new ConcurrentHashMap<>();

  /**
   * @param runner runs the requests; has at least {@code config.workers()} workers
   * @param random the source of jitter and request tokens; seeded with true randomness in
   *     production, because a request token must never repeat
   * @param learned the rates that an earlier leader learned, {@link LearnedRates#NONE} if there are
   *     none
   * @param fence checked before each change is sent; {@link Fence#OPEN} if no other process can act
   */
  public StandardCloudCallsFactory(
      CloudCallsConfig config,
      TaskScheduler scheduler,
      EffectRunner runner,
      RandomGenerator random,
      Meters metrics,
      LearnedRates learned,
      Fence fence) {
    this.environment =
        new CallEnvironment(
            config,
            scheduler,
            runner,
            new SharedRandom(random),
            metrics,
            learned,
            fence,
            new AtomicLong());
    this.ceiling = config.ceiling().map(limit -> new TokenDispatcher(scheduler, limit));
  }

  /** Calls without rate limits, for benchmarks and tests; limited only by the number of workers. */
  public static StandardCloudCallsFactory unlimited(
      TaskScheduler scheduler, EffectRunner runner, RandomGenerator random) {
    CloudCallsConfig config =
        CloudCallsConfig.defaults()
            .withPacing(CloudCallsConfig.Pacing.NONE)
            .withWorkers(Integer.MAX_VALUE);
    return new StandardCloudCallsFactory(
        config, scheduler, runner, random, Meters.none(), LearnedRates.NONE, Fence.OPEN);
  }

  /**
   * The calls of one account. Two instances for the same account share its buckets and breakers,
   * because the cloud counts them together.
   */
  @Override
  public CloudCalls create(CallPolicy policy) {
    return accounts
        .computeIfAbsent(policy.account(), name -> new CloudAccount(name, environment, ceiling))
        .calls(policy);
  }

  /** Requests sent so far, over all accounts. */
  public CallCounts counts() {
    SortedMap<String, Long> sent = new TreeMap<>();
    SortedMap<String, Long> throttled = new TreeMap<>();
    accounts.values().forEach(account -> account.addCounts(sent, throttled));
    return new CallCounts(sent, throttled);
  }

  /** The limits of the clouds learned so far, in a stable order. */
  public LearnedRates learnedRates() {
    List<LearnedRates.Estimate> all =
        accounts.values().stream()
            .flatMap(CloudAccount::buckets)
            .flatMap(bucket -> bucket.estimate().stream())
            .sorted(
                Comparator.comparing(LearnedRates.Estimate::account)
                    .thenComparing(LearnedRates.Estimate::operation))
            .toList();
    return new LearnedRates(all);
  }

  /** The buckets of all accounts as they are now, by account and operation. */
  public List<BucketState> buckets() {
    return accounts.values().stream()
        .flatMap(CloudAccount::buckets)
        .map(LearnedBucket::state)
        .sorted(Comparator.comparing(BucketState::account).thenComparing(BucketState::operation))
        .toList();
  }

  /** A thread-safe generator; on one thread it returns the same numbers as the given one. */
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
