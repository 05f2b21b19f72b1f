package io.tidemark.it.benchmark;

import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Events per second of a simulated world, in which {@code waiting} timers and as many requests are
 * under way: what bounds the speed of every simulation. Aim: 2 million per second.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class VirtualTimeBenchmark {
  private static final int STEPS = 1000;
  private static final EffectSite SITE = new EffectSite("DescribeInterfaces", "n1");
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Param({"100", "10000"})
  int waiting;

  private VirtualTime timers = new VirtualTime(0);
  private VirtualTime requests = new VirtualTime(0);
  private SplittableRandom random = new SplittableRandom(1);

  /** A world full of timers and one full of requests; both go on for ever. */
  @Setup
  public void fill() {
    timers = new VirtualTime(0);
    requests = new VirtualTime(0);
    random = new SplittableRandom(1);
    EffectRunner effects =
        requests
            .process("operator")
            .effects(
                (site, timeout) ->
                    new EffectFate(
                        random.nextLong(1_000_000),
                        random.nextLong(1_000_000),
                        EffectFate.Loss.NOTHING));
    for (int i = 0; i < waiting; i++) {
      arm();
      send(effects);
    }
  }

  private void arm() {
    timers.at(timers.nanos() + random.nextLong(1_000_000), this::arm);
  }

  private void send(EffectRunner effects) {
    effects
        .run(SITE, TIMEOUT, () -> "answer")
        .stage()
        .whenComplete((answer, thrown) -> send(effects));
  }

  /** Timers that run and set themselves anew. */
  @Benchmark
  @OperationsPerInvocation(STEPS)
  public void timers() {
    for (int i = 0; i < STEPS; i++) {
      timers.step();
    }
  }

  /** Requests that travel, run, travel back and are followed by the next; two events each. */
  @Benchmark
  @OperationsPerInvocation(STEPS)
  public void requests() {
    for (int i = 0; i < STEPS; i++) {
      requests.step();
    }
  }
}
