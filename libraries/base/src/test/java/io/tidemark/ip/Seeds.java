package io.tidemark.ip;

import io.tidemark.testing.Cases;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Seeded random cases. The seeds are fixed, so a run is repeatable; a failure carries the seed of
 * the case that failed, and {@link #replay} runs that case alone.
 */
final class Seeds {
  private Seeds() {}

  /** Runs {@code body} for the usual part of {@code cases}, each with its own generator. */
  static void forEach(long firstSeed, int cases, Consumer<Random> body) {
    for (long seed = firstSeed; seed < firstSeed + Cases.of(cases); seed++) {
      replay(seed, body);
    }
  }

  static void replay(long seed, Consumer<Random> body) {
    try {
      // Neighbouring seeds of Random start alike; the multiplication spreads them.
      body.accept(new Random(seed * 0x9E3779B97F4A7C15L));
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }

  /** Bits with long runs of zeros and ones as often as noise, where carries and gaps are. */
  static long bits(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> 0L;
      case 1 -> -1L;
      case 2 -> sparse(random);
      case 3 -> ~sparse(random);
      case 4 -> -1L << random.nextInt(64);
      default -> random.nextLong();
    };
  }

  static IpAddress address(IpFamily family, Random random) {
    return family == IpFamily.IPV4
        ? new Ipv4Address((int) bits(random))
        : new Ipv6Address(groups(random), groups(random));
  }

  /** An address near {@code origin}, to make equal, adjacent and contained pairs common. */
  static IpAddress near(IpAddress origin, Random random) {
    long offset = random.nextInt(9) - 4L;
    try {
      return origin.plus(offset << random.nextInt(32));
    } catch (ArithmeticException outside) {
      return origin;
    }
  }

  private static long sparse(Random random) {
    long word = random.nextLong();
    word &= random.nextLong();
    return word & random.nextLong();
  }

  private static long groups(Random random) {
    long word = bits(random);
    for (int group = 0; group < 4; group++) {
      if (random.nextInt(3) == 0) {
        word &= ~(0xffffL << (16 * group));
      }
    }
    return word;
  }
}
