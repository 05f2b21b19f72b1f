package io.tidemark.nodeid;

/** The number that a node owns and that all its subnets follow from, as unsigned bits from 1 on. */
public record NodeId(int bits) implements Comparable<NodeId> {
  /** The highest number, 2<sup>32</sup> - 1. */
  public static final long MAX = 0xffff_ffffL;

  public NodeId {
    if (bits == 0) {
      throw new IllegalArgumentException(refusal("0"));
    }
  }

  /** The id of a number; {@link IllegalArgumentException} unless it is from 1 to {@link #MAX}. */
  public static NodeId of(long number) {
    if (number < 1 || number > MAX) {
      throw new IllegalArgumentException(refusal(Long.toString(number)));
    }
    return new NodeId((int) number);
  }

  /** The id of a decimal number without a sign; else as {@link #of}. */
  public static NodeId parse(String text) {
    if (!text.matches("[0-9]{1,10}")) {
      throw new IllegalArgumentException(refusal("'" + text + "'"));
    }
    return of(Long.parseLong(text));
  }

  public long number() {
    return Integer.toUnsignedLong(bits);
  }

  @Override
  public int compareTo(NodeId other) {
    return Integer.compareUnsigned(bits, other.bits);
  }

  @Override
  public String toString() {
    return Integer.toUnsignedString(bits);
  }

  private static String refusal(String given) {
    return "node id is " + given + "; expected a number from 1 to " + MAX;
  }
}
