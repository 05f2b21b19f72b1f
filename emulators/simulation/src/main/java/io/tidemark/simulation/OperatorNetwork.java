package io.tidemark.simulation;

import io.tidemark.simulation.scenario.Fault.Kind;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectSite;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The network between one operator process and the cloud, or the API server: latency, loss, and the
 * crash point of the operator.
 *
 * @param latencyNanos by operation, there and back
 * @param spread share of the latency that is random
 * @param cloud whether the far end is the cloud, else the API server
 * @param executed receives each request after it had its effect
 * @param crash ends the operator now, at its crash point
 * @param crashLate ends it as soon as the request at hand was sent; returns its latency
 */
record OperatorNetwork(
    Trouble trouble,
    SplittableRandom random,
    CrashWatch crashes,
    ToLongFunction<String> latencyNanos,
    double spread,
    boolean cloud,
    Consumer<EffectSite> executed,
    Runnable crash,
    Supplier<Duration> crashLate)
    implements EffectModel {
  @Override
  public EffectFate decide(EffectSite site, Duration timeout) {
    String operation = site.operation();
    long nanos = latencyNanos.applyAsLong(operation);
    if (spread > 0 && nanos > 0) {
      nanos += (long) (nanos * spread * (random.nextDouble() * 2 - 1));
    }
    long there = nanos / 2;
    if (crashes.answerIsLost(operation)) {
      return new EffectFate(there, 0, EffectFate.Loss.ANSWER);
    }
    if (crashes.isLate(operation)) {
      return new EffectFate(crashLate.get().toNanos(), 0, EffectFate.Loss.ANSWER);
    }
    crashes.before(operation, crash);
    if (cloud) {
      if (trouble.hits(Kind.LOST_REQUEST, operation)) {
        return EffectFate.requestLost();
      }
      if (trouble.hits(Kind.LOST_ANSWER, operation)) {
        return new EffectFate(there, 0, EffectFate.Loss.ANSWER);
      }
      if (trouble.hits(Kind.HANG, operation)) {
        long late = random.nextLong(Math.max(1, timeout.toNanos()));
        return new EffectFate(late, 0, EffectFate.Loss.ANSWER);
      }
    } else if (trouble.hits(Kind.STORE_OUTAGE, operation)) {
      return random.nextBoolean()
          ? EffectFate.requestLost()
          : new EffectFate(there, 0, EffectFate.Loss.ANSWER);
    }
    return new EffectFate(there, nanos - there, EffectFate.Loss.NOTHING);
  }

  @Override
  public void executed(EffectSite site) {
    executed.accept(site);
    crashes.after(site.operation(), crash);
  }
}
