package io.tidemark.it.benchmark;

import io.tidemark.ip.AddressBitmap;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * P1: taking the next free address of a /16 and giving one back, by how full it is. Aim: 60 ns, and
 * the same within a factor of two however full it is. Run it by {@code .ci/benchmarks agent}.
 */
public class AddressBitmapBenchmark extends ThroughputBenchmark {
  private static final int SIZE = 1 << 16;

  @Param({"0", "50", "99", "99.9"})
  public double percent;

  private AddressBitmap bitmap = AddressBitmap.ofCapacity(1);
  private int cursor;

  /** Takes addresses at random until so many are taken. */
  @Setup
  public void fill() {
    bitmap = AddressBitmap.ofCapacity(SIZE);
    SplittableRandom random = new SplittableRandom(1);
    while (bitmap.freeCount() > SIZE * (1 - percent / 100)) {
      bitmap.allocate(random.nextInt(SIZE));
    }
  }

  /** One address each time, the next one after the last, so that the same ones stay taken. */
  @Benchmark
  public int takeAndFree() {
    int position = bitmap.takeNext(cursor);
    cursor = position + 1;
    bitmap.free(position);
    return position;
  }
}
