package io.tidemark.simulation.demand;

import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The durations of a cloud's requests, and the bucket of tokens that all of them share. */
final class TrialCloud {
  private static final double TOKENS = 100;
  private static final double TOKENS_PER_SECOND = 10;

  /** The least time of a request, and the usual rest. */
  private enum Latency {
    ADDRESSES(300, 200),
    INTERFACE(3_000, 1_500);

    private final long leastMillis;
    private final double restMillis;

    Latency(long leastMillis, double restMillis) {
      this.leastMillis = leastMillis;
      this.restMillis = restMillis;
    }
  }

  private final VirtualTime time;
  private final SplittableRandom random;
  private double tokens = TOKENS;
  private long filledNanos;

  TrialCloud(VirtualTime time, SplittableRandom random) {
    this.time = time;
    this.random = random;
  }

  /** Runs {@code request} when it gets a token. */
  void whenAllowed(Runnable request) {
    long now = Math.max(time.nanos(), filledNanos);
    double perNano = TOKENS_PER_SECOND / TimeUnit.SECONDS.toNanos(1);
    tokens = Math.min(TOKENS, tokens + (now - filledNanos) * perNano) - 1;
    filledNanos = now;
    if (tokens < 0) {
      filledNanos += (long) (-tokens / perNano);
      tokens = 0;
    }
    time.at(filledNanos, request);
  }

  /** The duration of a request: a few take much longer than the others. */
  Duration duration(boolean newInterface) {
    Latency of = newInterface ? Latency.INTERFACE : Latency.ADDRESSES;
    double normal = random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5;
    return Duration.ofMillis(of.leastMillis + (long) (of.restMillis * Math.exp(normal)));
  }
}
