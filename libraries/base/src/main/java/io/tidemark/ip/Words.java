package io.tidemark.ip;

/**
 * Unsigned 128-bit arithmetic on two longs. An IPv4 address takes part as the number it is: upper
 * word zero, lower word up to 2<sup>32</sup> - 1.
 */
final class Words {
  private Words() {}

  static int compare(long high, long low, long otherHigh, long otherLow) {
    int byHigh = Long.compareUnsigned(high, otherHigh);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, otherLow);
  }

  /** The upper word of a number whose lowest {@code ones} bits (0 to 128) are set. */
  static long highOnes(int ones) {
    return ones <= 64 ? 0 : -1L >>> (128 - ones);
  }

  /** The lower word of a number whose lowest {@code ones} bits (0 to 128) are set. */
  static long lowOnes(int ones) {
    return ones == 0 ? 0 : ones >= 64 ? -1L : -1L >>> (64 - ones);
  }

  /** The upper word of {@code value << distance}, for a one-word value; distance is 0 to 128. */
  static long highShifted(long value, int distance) {
    if (distance == 0 || distance == 128) {
      return 0;
    }
    return distance >= 64 ? value << (distance - 64) : value >>> (64 - distance);
  }

  /** The lower word of {@code value << distance}, for a one-word value; distance is 0 to 128. */
  static long lowShifted(long value, int distance) {
    return distance >= 64 ? 0 : value << distance;
  }

  /** The upper word of {@code number >>> distance}; distance is 0 to 128. */
  static long highShiftedRight(long high, int distance) {
    return distance >= 64 ? 0 : high >>> distance;
  }

  /** The lower word of {@code number >>> distance}; distance is 0 to 128. */
  static long lowShiftedRight(long high, long low, int distance) {
    if (distance == 0 || distance == 128) {
      return distance == 0 ? low : 0;
    }
    return distance >= 64 ? high >>> (distance - 64) : low >>> distance | high << (64 - distance);
  }
}
