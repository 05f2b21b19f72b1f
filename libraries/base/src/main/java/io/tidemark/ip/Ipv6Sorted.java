package io.tidemark.ip;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Sets of IPv6 addresses as arrays: ascending, no element twice. Arrays are never changed after
 * they were returned; an operation that changes nothing returns its first argument.
 */
final class Ipv6Sorted {
  static final Ipv6Address[] EMPTY = {};

  private Ipv6Sorted() {}

  static Ipv6Address[] of(Collection<Ipv6Address> addresses) {
    return sorted(addresses.stream());
  }

  /** How many elements are below the first address of {@code block}. */
  static int countBelow(Ipv6Address[] set, Cidr block) {
    int found = Arrays.binarySearch(set, block.first());
    return found >= 0 ? found : -found - 1;
  }

  /** How many elements are at most the last address of {@code block}. */
  static int countUpTo(Ipv6Address[] set, Cidr block) {
    int found = Arrays.binarySearch(set, block.last());
    return found >= 0 ? found + 1 : -found - 1;
  }

  static Ipv6Address[] union(Ipv6Address[] a, Ipv6Address[] b) {
    if (a.length == 0) {
      return b;
    }
    Ipv6Address[] both =
        b.length == 0 ? a : sorted(Stream.concat(Arrays.stream(a), Arrays.stream(b)));
    return both.length == a.length ? a : both;
  }

  static Ipv6Address[] difference(Ipv6Address[] a, Ipv6Address[] b) {
    return kept(a, each -> !contains(b, each));
  }

  static Ipv6Address[] intersection(Ipv6Address[] a, Ipv6Address[] b) {
    return kept(a, each -> contains(b, each));
  }

  static boolean intersects(Ipv6Address[] a, Ipv6Address[] b) {
    return Arrays.stream(b).anyMatch(each -> contains(a, each));
  }

  static boolean containsAll(Ipv6Address[] a, Ipv6Address[] b) {
    return Arrays.stream(b).allMatch(each -> contains(a, each));
  }

  /** The elements from index {@code from} up to and without index {@code to}. */
  static Ipv6Address[] slice(Ipv6Address[] set, int from, int to) {
    return from == 0 && to == set.length ? set : Arrays.copyOfRange(set, from, to);
  }

  private static boolean contains(Ipv6Address[] set, Ipv6Address address) {
    return Arrays.binarySearch(set, address) >= 0;
  }

  private static Ipv6Address[] kept(Ipv6Address[] set, Predicate<Ipv6Address> wanted) {
    Ipv6Address[] kept = Arrays.stream(set).filter(wanted).toArray(Ipv6Address[]::new);
    return kept.length == set.length ? set : kept;
  }

  private static Ipv6Address[] sorted(Stream<Ipv6Address> addresses) {
    return addresses.sorted().distinct().toArray(Ipv6Address[]::new);
  }
}
