package io.tidemark.provider.aws.eni;

import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.metrics.Meters;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.EmulatedEc2;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.spi.InstanceId;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** One instance and its interfaces over the strict EC2, in virtual time. */
final class InstanceWorld {
  static final Duration TRAVEL = Duration.ofMillis(20);
  static final EffectFate ANSWERED = EffectFate.answered(TRAVEL, TRAVEL);
  static final Duration LAG_MAX = Duration.ofSeconds(20);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  final VirtualTime time = new VirtualTime(1_767_225_600_000L);
  final EmulatedEc2 ec2 = new EmulatedEc2(time, options());
  final String home;
  final List<String> requests = new ArrayList<>();
  Function<String, EffectFate> fates = operation -> ANSWERED;

  /** EC2 as the programs see it that are made from now on. */
  UnaryOperator<Ec2Api> door = api -> api;

  final String instance;
  private final String type;

  InstanceWorld(String type) {
    this(type, ec2 -> ec2.subnet("10.0.0.0/24"));
  }

  /**
   * An instance in a subnet.
   *
   * @param subnet makes it
   */
  InstanceWorld(String type, Function<EmulatedEc2, String> subnet) {
    this.type = type;
    ec2.emulator().readsBehind(Optional.of(Duration.ZERO));
    this.home = subnet.apply(ec2);
    instance = ec2.launch(type, home, Map.of());
    run(Duration.ofMinutes(2));
  }

  private static Ec2ModelOptions options() {
    Ec2ModelOptions usual = Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled());
    return usual.withDelays(
        usual.delays().withVisibility(DelayRange.NONE, DelayRange.upTo(LAG_MAX)));
  }

  /** A program that knows nothing yet. */
  InstanceInterfaces program(EniSettings settings) {
    CloudCalls calls =
        new StandardCloudCallsFactory(
                CloudCallsConfig.defaults()
                    .withPacing(CloudCallsConfig.Pacing.NONE)
                    .withWorkers(Integer.MAX_VALUE),
                time,
                time.effects(
                    (site, timeout) -> {
                      requests.add(site.operation());
                      return fates.apply(site.operation());
                    }),
                new Random(3),
                Meters.none(),
                LearnedRates.NONE,
                Fence.OPEN)
            .create(Ec2CallLimits.ofInstance("111111111111", "us-east-1", 1));
    return new InstanceInterfaces(
        door.apply(ec2.api()),
        calls,
        settings,
        new InstancePlace(
            new InstanceId(instance), type, "us-east-1", ec2.vpc(), ec2.zone(), List.of(), "", ""),
        new TrueLimits(ec2.api(), Door.OPEN),
        time,
        Meters.none(),
        new Cancellation());
  }

  void faults(Ec2FaultRule... rules) {
    ec2.emulator().faults(List.of(rules));
  }

  void run(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  <T> CallResult<T> await(CompletionStage<CallResult<T>> stage) {
    long limit = time.nanos() + LONGEST.toNanos();
    while (!stage.toCompletableFuture().isDone() && time.nanos() < limit) {
      run(Duration.ofMillis(10));
    }
    if (!stage.toCompletableFuture().isDone()) {
      throw new AssertionError("the stage did not end");
    }
    return stage.toCompletableFuture().getNow(null);
  }

  /** The answer; a failure fails the test. */
  <T> T answer(CompletionStage<CallResult<T>> stage) {
    return await(stage)
        .match(
            value -> value,
            failure -> {
              throw new AssertionError(failure.toText());
            });
  }
}
