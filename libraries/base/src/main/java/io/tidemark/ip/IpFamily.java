package io.tidemark.ip;

/** Address family. Declared in the order in which addresses and blocks sort. */
public enum IpFamily {
  IPV4(32, "IPv4"),
  IPV6(128, "IPv6");

  private final int bits;
  private final String label;

  IpFamily(int bits, String label) {
    this.bits = bits;
    this.label = label;
  }

  /** Width of an address in bits, which is also the longest prefix length. */
  public int bits() {
    return bits;
  }

  /** The family as people write it: IPv4 or IPv6. */
  @Override
  public String toString() {
    return label;
  }
}
