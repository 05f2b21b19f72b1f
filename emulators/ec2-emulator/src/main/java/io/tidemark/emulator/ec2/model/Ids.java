package io.tidemark.emulator.ec2.model;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.ip.Ipv6Address;
import java.util.SplittableRandom;

/** Makes ids, MAC addresses and request ids from the seed. Not thread-safe. */
public final class Ids {
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private final SplittableRandom random;
  private long interfaces;
  private long publicAddresses;
  private long ipv6Blocks;

  Ids(SplittableRandom random) {
    this.random = random;
  }

  /** The kind's prefix and 17 digits; the first is 0, as in those that EC2 gives out. */
  String next(ResourceType type) {
    return hex(new StringBuilder(32).append(type.prefix()).append('0'), 16, random).toString();
  }

  /** A request id in the form of a UUID. */
  String requestId() {
    return requestId(random);
  }

  /** The same, drawn from elsewhere. */
  static String requestId(SplittableRandom random) {
    StringBuilder out = new StringBuilder(36);
    for (int digits : new int[] {8, 4, 4, 4, 12}) {
      hex(out.length() == 0 ? out : out.append('-'), digits, random);
    }
    return out.toString();
  }

  /** Characters of this alphabet, as keys and tokens have them. */
  public static String text(SplittableRandom random, String alphabet, int length) {
    StringBuilder out = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      out.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return out.toString();
  }

  /** A /56 of Amazon's that no other VPC of the region has. */
  Cidr ipv6Block() {
    return Cidr.containing(new Ipv6Address(0x2600_1f18_0000_0000L | (++ipv6Blocks << 8), 0), 56);
  }

  /** The next address of 198.18.0.0/15, which is kept for measurements and routed nowhere. */
  Ipv4Address publicAddress() {
    return Ipv4Address.of(198, 18, 0, 0).plus(++publicAddresses % 131_072);
  }

  /** A locally administered MAC address that no other interface has. */
  String macAddress() {
    long bits = ++interfaces & 0xff_ffff_ffffL;
    StringBuilder out = new StringBuilder(17).append("02");
    for (int shift = 32; shift >= 0; shift -= 8) {
      out.append(':')
          .append(HEX[(int) (bits >>> (shift + 4)) & 15])
          .append(HEX[(int) (bits >>> shift) & 15]);
    }
    return out.toString();
  }

  private static StringBuilder hex(StringBuilder out, int digits, SplittableRandom random) {
    long bits = random.nextLong();
    for (int i = 0; i < digits; i++) {
      out.append(HEX[(int) (bits >>> (4 * i)) & 15]);
    }
    return out;
  }
}
