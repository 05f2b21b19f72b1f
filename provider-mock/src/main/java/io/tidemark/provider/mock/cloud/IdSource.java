package io.tidemark.provider.mock.cloud;

import java.util.Locale;

/** Ids that look like EC2's and follow from a seed and a count. Not thread-safe. */
final class IdSource {
  private final long seed;
  private long count;

  IdSource(long seed) {
    this.seed = seed;
  }

  String interfaceId() {
    count++;
    return "eni-" + hex17(mix(seed * 0x9E3779B97F4A7C15L + count));
  }

  /** The same text gives the same id. */
  static String hashed(String prefix, String text) {
    return prefix + hex17(mix(hash(text)));
  }

  static String macOf(String interfaceId) {
    long bits = mix(hash(interfaceId));
    return String.format(
        Locale.ROOT,
        "02:%02x:%02x:%02x:%02x:%02x",
        bits & 0xff,
        bits >>> 8 & 0xff,
        bits >>> 16 & 0xff,
        bits >>> 24 & 0xff,
        bits >>> 32 & 0xff);
  }

  static String attachmentIdOf(String interfaceId) {
    return hashed("eni-attach-", interfaceId);
  }

  private static String hex17(long bits) {
    return String.format(Locale.ROOT, "0%016x", bits);
  }

  private static long hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }

  private static long mix(long value) {
    long z = value;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
