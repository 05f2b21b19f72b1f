package io.tidemark.provider.aws.eni;

import io.tidemark.metrics.Meters;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.EmulatedEc2;
import io.tidemark.provider.aws.metadata.InstancePlace;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** One instance and its interfaces over the strict EC2, and programs that work for it alone. */
final class InstanceWorld extends EniWorld {
  final String instance;

  /** EC2 as the programs see it that are made from now on. */
  UnaryOperator<Ec2Api> door = api -> api;

  InstanceWorld() {
    this(ec2 -> ec2.subnet("10.0.0.0/24"));
  }

  /**
   * An m5.large in a subnet.
   *
   * @param subnet makes it
   */
  InstanceWorld(Function<EmulatedEc2, String> subnet) {
    home = subnet.apply(ec2);
    instance = launch("node1", "m5.large", home);
    run(Duration.ofMinutes(2));
  }

  /** A program that knows nothing yet. */
  InstanceInterfaces program(EniSettings settings) {
    return new InstanceInterfaces(
        door.apply(ec2.api()),
        callsOfInstance(),
        settings,
        new InstancePlace(
            new InstanceId(instance),
            "m5.large",
            "us-east-1",
            ec2.vpc(),
            ec2.zone(),
            List.of(),
            "",
            ""),
        limits,
        time,
        Meters.none(),
        new Cancellation());
  }

  @Override
  <T> T await(CompletionStage<T> stage) {
    return await(stage, Duration.ofMinutes(5));
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

  /** Why it failed. */
  Failure refusal(CompletionStage<? extends CallResult<?>> stage) {
    return await(stage).refusal().orElseThrow();
  }
}
