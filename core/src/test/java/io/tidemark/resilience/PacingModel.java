package io.tidemark.resilience;

import io.tidemark.metrics.Meters;
import io.tidemark.resilience.CallKind.Effect;
import io.tidemark.resilience.Failure.Kind;
import io.tidemark.resilience.Priority.Rank;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Map;
import java.util.Random;

/**
 * Many nodes that need one call each, against a cloud with a bucket of its own from which
 * neighbours take too.
 */
final class PacingModel {
  private static final CallKind ATTACH = new CallKind("Attach", Effect.REPEATABLE);
  private static final double SECOND = 1e9;

  /**
   * @param documentedPerSecond what we are told
   * @param truePerSecond what the cloud refills
   * @param neighboursPerSecond calls of others, at random instants, which always succeed
   * @param burst size of the bucket, in truth and documentation
   * @param latencyMillis of one call
   */
  record Setting(
      int nodes,
      double documentedPerSecond,
      double truePerSecond,
      double neighboursPerSecond,
      int burst,
      int latencyMillis) {
    /** The shortest time in which all calls can have gone out. */
    double limitSeconds() {
      return (nodes - burst) / (truePerSecond - neighboursPerSecond);
    }
  }

  /** The result. */
  record Result(double lastSeconds, long calls, long throttled, double rate) {
    double throttledShare() {
      return (double) throttled / calls;
    }
  }

  private final Setting setting;
  private final VirtualTime time = new VirtualTime(0);
  private final Random random;
  private final StandardCloudCallsFactory factory;
  private final CloudCalls calls;
  private double cloudTokens;
  private long cloudNanos;
  private double nextNeighbourSeconds;
  private int done;

  private PacingModel(Setting setting, long seed) {
    this.setting = setting;
    this.random = new Random(seed);
    this.cloudTokens = setting.burst();
    Duration half = Duration.ofMillis(setting.latencyMillis()).dividedBy(2);
    this.factory =
        new StandardCloudCallsFactory(
            CloudCallsConfig.defaults(),
            time,
            time.effects(EffectModel.reliable(half, half)),
            new Random(seed + 1),
            Meters.none(),
            LearnedRates.NONE,
            Fence.OPEN);
    CallLimits limits =
        new CallLimits(setting.documentedPerSecond(), setting.burst(), Duration.ofSeconds(30), 5);
    this.calls = factory.create(new CallPolicy("account", Map.of(ATTACH, limits), Door::classify));
    this.nextNeighbourSeconds = neighbourGap();
  }

  static Result run(Setting setting, long seed) {
    return new PacingModel(setting, seed).run();
  }

  private Result run() {
    for (int i = 0; i < setting.nodes(); i++) {
      attach("n" + i);
    }
    while (done < setting.nodes() && time.step()) {
      // until the last node has its interface
    }
    CallCounts counts = factory.counts();
    return new Result(
        time.nanos() / SECOND,
        counts.allCalls(),
        counts.throttled().getOrDefault(ATTACH.name(), 0L),
        factory.learnedRates().estimates().get(0).callsPerSecond());
  }

  private void attach(String node) {
    CallContext context =
        CallContext.of(
            node,
            new Priority(Rank.BELOW_WATERMARK, 1),
            time.nanos() + Duration.ofMinutes(30).toNanos(),
            new Cancellation());
    calls
        .call(ATTACH, context, attempt -> answer())
        .thenAccept(
            result ->
                result.match(
                    answer -> done++,
                    failure -> {
                      time.after(Duration.ofSeconds(5), () -> attach(node));
                      return done;
                    }));
  }

  private String answer() throws Door.CloudError {
    double now = time.nanos() / SECOND;
    while (nextNeighbourSeconds <= now) {
      refill(nextNeighbourSeconds);
      cloudTokens = Math.max(0, cloudTokens - 1);
      nextNeighbourSeconds += neighbourGap();
    }
    refill(now);
    if (cloudTokens < 1) {
      throw new Door.CloudError(Failure.of(Kind.THROTTLED, "requestLimit", "slow down"));
    }
    cloudTokens--;
    return "attached";
  }

  private void refill(double untilSeconds) {
    long until = (long) (untilSeconds * SECOND);
    double more = (until - cloudNanos) / SECOND * setting.truePerSecond();
    cloudTokens = Math.min(setting.burst(), cloudTokens + more);
    cloudNanos = until;
  }

  private double neighbourGap() {
    return setting.neighboursPerSecond() == 0
        ? Double.POSITIVE_INFINITY
        : -Math.log(1 - random.nextDouble()) / setting.neighboursPerSecond();
  }
}
