package io.tidemark.engine;

import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;

/** A cloud door in virtual time, one read and one change of which each takes a second. */
final class Requests {
  static final CallKind READ = new CallKind("Describe", CallKind.Effect.READ);
  static final CallKind CHANGE = new CallKind("Assign", CallKind.Effect.ONCE);
  static final CallPolicy POLICY =
      new CallPolicy(
          "account",
          Map.of(READ, limits(), CHANGE, limits()),
          (kind, thrown) -> Failure.of(Failure.Kind.LOST, "lost", thrown.toString()));

  private Requests() {}

  private static CallLimits limits() {
    return new CallLimits(100, 100, Duration.ofSeconds(5), 1);
  }

  static StandardCloudCallsFactory door(VirtualTime time) {
    EffectModel second = EffectModel.reliable(Duration.ofMillis(500), Duration.ofMillis(500));
    return StandardCloudCallsFactory.unlimited(
        time, time.process("operator").effects(second), new SplittableRandom(1));
  }

  /** Every answer is lost. */
  static StandardCloudCallsFactory deafDoor(VirtualTime time) {
    EffectModel lossy =
        new EffectModel() {
          @Override
          public EffectFate decide(EffectSite site, Duration timeout) {
            return new EffectFate(1, 1, EffectFate.Loss.ANSWER);
          }
        };
    return StandardCloudCallsFactory.unlimited(
        time, time.process("operator").effects(lossy), new SplittableRandom(1));
  }

  static CallContext context(Cancellation cancellation) {
    return CallContext.of(
        "worker-a",
        Priority.of(Priority.Rank.BELOW_WATERMARK),
        Duration.ofMinutes(1).toNanos(),
        cancellation);
  }
}
