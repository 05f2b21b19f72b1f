package io.tidemark.kubernetes.store;

import java.math.BigInteger;

/**
 * Order of resource versions. They are opaque by contract and revisions of etcd in fact: decimal
 * numbers that grow over all objects. If one is not a number, the later one counts as newer.
 */
final class Revisions {
  private Revisions() {}

  /** Whether {@code candidate} is certainly older than {@code known}. */
  static boolean isOlder(String candidate, String known) {
    if (!isDecimal(candidate) || !isDecimal(known)) {
      return false;
    }
    return candidate.length() == known.length()
        ? candidate.compareTo(known) < 0
        : candidate.length() < known.length();
  }

  /** The newer of two; the second when their order is unknown. */
  static String newer(String one, String other) {
    return isOlder(other, one) ? one : other;
  }

  /** A version after this one and before any other change; the same when it is not a number. */
  static String following(String version) {
    return isDecimal(version) ? new BigInteger(version).add(BigInteger.ONE).toString() : version;
  }

  private static boolean isDecimal(String version) {
    if (version.isEmpty() || version.charAt(0) == '0') {
      return false;
    }
    for (int i = 0; i < version.length(); i++) {
      if (version.charAt(i) < '0' || version.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}
