package io.tidemark.it.benchmark;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.BlockSpace;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * P8: filling a /8 by /24, and finding its last free block. Aims: 1 ms, 100 ns. Run it by {@code
 * .ci/benchmarks node-cidr}.
 */
public class BlockSpaceBenchmark extends ThroughputBenchmark {
  private static final Cidr RANGE = Cidr.parse("10.0.0.0/8");
  private static final Cidr LAST = Cidr.parse("10.187.205.0/24");

  private BlockSpace space = BlockSpace.of(RANGE, 24, List.of());

  /** Takes all blocks but one. */
  @Setup
  public void fill() {
    space = BlockSpace.of(RANGE, 24, List.of());
    if (space.occupy(RANGE) != 65_536 || space.release(LAST) != 1) {
      throw new IllegalStateException("not full: " + space);
    }
  }

  /** All 65,536 blocks, one after the other. */
  @Benchmark
  public int fillRange() {
    BlockSpace filled = BlockSpace.of(RANGE, 24, List.of());
    int prefixes = 0;
    for (Optional<Cidr> block = filled.allocateNext();
        block.isPresent();
        block = filled.allocateNext()) {
      prefixes += block.get().prefixLength();
    }
    return prefixes;
  }

  /** The only free block, taken and given back. */
  @Benchmark
  public Cidr lastFree() {
    Cidr block = space.allocateNext().orElseThrow();
    if (space.release(block) != 1) {
      throw new IllegalStateException("not taken: " + block);
    }
    return block;
  }

  /** A range of 2^24 positions, taken whole and given back. */
  @Benchmark
  public long occupyRange(Positions positions) {
    return positions.space.occupy(RANGE) + positions.space.release(RANGE);
  }

  /** 2^24 single addresses. */
  @State(Scope.Benchmark)
  public static class Positions {
    private final BlockSpace space = BlockSpace.of(RANGE, 32, List.of());
  }
}
