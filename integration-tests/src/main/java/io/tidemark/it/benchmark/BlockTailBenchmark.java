package io.tidemark.it.benchmark;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.BlockSpace;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * P8: allocating a block of 2^24 and giving it back, by how full the range is: the 99th percentile
 * of the pair. Aim: 1 µs for each of the two. Run it by {@code .ci/benchmarks node-cidr}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, timeUnit = TimeUnit.MILLISECONDS, time = 500)
@Measurement(iterations = 5, timeUnit = TimeUnit.MILLISECONDS, time = 500)
public class BlockTailBenchmark {
  private static final Cidr RANGE = Cidr.parse("10.0.0.0/8");

  /** Percent of the blocks that are taken. */
  @Param({"0", "50", "99", "99.99", "one free"})
  public String taken = "0";

  private BlockSpace space = BlockSpace.of(RANGE, 32, List.of());
  private final SplittableRandom random = new SplittableRandom(1);

  /** Takes blocks at random until so many are taken. */
  @Setup
  public void fill() {
    space = BlockSpace.of(RANGE, 32, List.of());
    long free =
        taken.equals("one free")
            ? 1
            : (long) (space.capacity() * (1 - Double.parseDouble(taken) / 100));
    boolean fewFree = free < space.capacity() / 2;
    if (fewFree) {
      space.occupy(RANGE);
    }
    while (space.freeCount() != free) {
      Cidr block = Cidr.single(RANGE.address(random.nextInt((int) space.capacity())));
      if (fewFree) {
        space.release(block);
      } else {
        space.occupy(block);
      }
    }
  }

  /** The next free block; it is given back, so that the same ones stay taken. */
  @Benchmark
  public Cidr allocateAndRelease() {
    Cidr block = space.allocateNext().orElseThrow();
    if (space.release(block) != 1) {
      throw new IllegalStateException("not taken: " + block);
    }
    return block;
  }
}
