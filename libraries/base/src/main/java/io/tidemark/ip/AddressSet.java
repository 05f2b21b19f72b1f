package io.tidemark.ip;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable set of addresses of both families, with four bytes per IPv4 address. Iterates in the
 * order of {@link IpAddress}. Usable from any thread.
 *
 * <p>Combining two sets takes one pass over their IPv4 addresses; asking for one address or
 * counting a block takes logarithmic time; adding or taking out one address copies the set, so many
 * additions go through {@link #builder()}. An operation that changes nothing returns the same set,
 * and the empty set is one shared object.
 */
public final class AddressSet implements Iterable<IpAddress> {
  /** Largest block that {@link #ofRange} spells out. */
  public static final int RANGE_SIZE_MAX = 1 << 20;

  private static final AddressSet EMPTY = new AddressSet(Ipv4Sorted.EMPTY, Ipv6Sorted.EMPTY);
  private static final int SHOWN_MAX = 16;

  private final int[] ipv4;
  private final Ipv6Address[] ipv6;

  private AddressSet(int[] ipv4, Ipv6Address[] ipv6) {
    this.ipv4 = ipv4;
    this.ipv6 = ipv6;
  }

  /** The empty set. */
  public static AddressSet of() {
    return EMPTY;
  }

  /** The set of these addresses; one named twice counts once. */
  public static AddressSet of(IpAddress... addresses) {
    return copyOf(Arrays.asList(addresses));
  }

  /** The set of these addresses; one named twice counts once. */
  public static AddressSet copyOf(Collection<? extends IpAddress> addresses) {
    Builder builder = builder();
    addresses.forEach(builder::add);
    return builder.build();
  }

  /**
   * All addresses of {@code block}.
   *
   * @throws IllegalArgumentException when they are more than {@link #RANGE_SIZE_MAX}
   */
  public static AddressSet ofRange(Cidr block) {
    if (block.sizeSaturated() > RANGE_SIZE_MAX) {
      throw new IllegalArgumentException(
          block + " is too big to be spelled out; the limit is " + RANGE_SIZE_MAX + " addresses");
    }
    int size = (int) block.sizeSaturated();
    if (block.family() == IpFamily.IPV4) {
      int[] values = new int[size];
      Arrays.setAll(values, i -> (int) block.low() + i);
      return new AddressSet(values, Ipv6Sorted.EMPTY);
    }
    Ipv6Address[] values = new Ipv6Address[size];
    Arrays.setAll(values, i -> new Ipv6Address(block.high(), block.low() + i));
    return new AddressSet(Ipv4Sorted.EMPTY, values);
  }

  public static Builder builder() {
    return new Builder();
  }

  public int size() {
    return ipv4.length + ipv6.length;
  }

  /** How many of the addresses are IPv4; they come first in the order. */
  public int ipv4Size() {
    return ipv4.length;
  }

  public boolean isEmpty() {
    return ipv4.length == 0 && ipv6.length == 0;
  }

  public boolean contains(IpAddress address) {
    return indexOf(address) >= 0;
  }

  /**
   * The index of an address in ascending order; when it is not in the set, {@code -1 - i}, where
   * {@code i} is the index that it would have.
   */
  public int indexOf(IpAddress address) {
    if (address instanceof Ipv6Address) {
      int found = Arrays.binarySearch(ipv6, address);
      return found < 0 ? found - ipv4.length : found + ipv4.length;
    }
    return Ipv4Sorted.find(ipv4, bits(address));
  }

  /** True when every address of {@code other} is in this set. */
  public boolean containsAll(AddressSet other) {
    return Ipv4Sorted.containsAll(ipv4, other.ipv4) && Ipv6Sorted.containsAll(ipv6, other.ipv6);
  }

  /** True when the two sets share an address. */
  public boolean intersects(AddressSet other) {
    return Ipv4Sorted.intersects(ipv4, other.ipv4) || Ipv6Sorted.intersects(ipv6, other.ipv6);
  }

  /** True when an address of this set lies in {@code block}. */
  public boolean containsAny(Cidr block) {
    return countIn(block) > 0;
  }

  /** How many addresses of this set lie in {@code block}. */
  public int countIn(Cidr block) {
    return indexAfter(block) - indexOfFirst(block);
  }

  /** The addresses of this set that lie in {@code block}. */
  public AddressSet within(Cidr block) {
    return slice(indexOfFirst(block), indexAfter(block));
  }

  public AddressSet plus(AddressSet other) {
    if (isEmpty()) {
      return other;
    }
    return with(Ipv4Sorted.union(ipv4, other.ipv4), Ipv6Sorted.union(ipv6, other.ipv6));
  }

  public AddressSet plus(IpAddress address) {
    return contains(address) ? this : plus(of(address));
  }

  public AddressSet minus(AddressSet other) {
    return with(Ipv4Sorted.difference(ipv4, other.ipv4), Ipv6Sorted.difference(ipv6, other.ipv6));
  }

  public AddressSet minus(IpAddress address) {
    return contains(address) ? minus(of(address)) : this;
  }

  public AddressSet intersect(AddressSet other) {
    return with(
        Ipv4Sorted.intersection(ipv4, other.ipv4), Ipv6Sorted.intersection(ipv6, other.ipv6));
  }

  /** The lowest address, if there is one. */
  public Optional<IpAddress> first() {
    return isEmpty() ? Optional.empty() : Optional.of(at(0));
  }

  /**
   * The lowest {@code count} addresses, or all when there are fewer.
   *
   * @throws IllegalArgumentException when {@code count} is negative
   */
  public AddressSet first(int count) {
    return slice(0, bounded(count));
  }

  /**
   * The highest {@code count} addresses, or all when there are fewer.
   *
   * @throws IllegalArgumentException when {@code count} is negative
   */
  public AddressSet last(int count) {
    return slice(size() - bounded(count), size());
  }

  /**
   * The address at {@code index} in ascending order.
   *
   * @throws IndexOutOfBoundsException when there is none
   */
  public IpAddress at(int index) {
    if (index < 0 || index >= size()) {
      throw new IndexOutOfBoundsException("index " + index + " of " + size() + " addresses");
    }
    return index < ipv4.length ? new Ipv4Address(ipv4[index]) : ipv6[index - ipv4.length];
  }

  /** Gives the bits of each IPv4 address to {@code action}, ascending, without making objects. */
  public void forEachIpv4(IntConsumer action) {
    for (int bits : ipv4) {
      action.accept(bits);
    }
  }

  @Override
  public Iterator<IpAddress> iterator() {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < size();
      }

      @Override
      public IpAddress next() {
        if (!hasNext()) {
          throw new NoSuchElementException("all " + size() + " addresses were visited");
        }
        return at(next++);
      }
    };
  }

  /** The addresses in ascending order, as an unmodifiable list. */
  public List<IpAddress> toList() {
    List<IpAddress> list = new ArrayList<>(size());
    forEach(list::add);
    return List.copyOf(list);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AddressSet set
        && Arrays.equals(ipv4, set.ipv4)
        && Arrays.equals(ipv6, set.ipv6);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(ipv4) + Arrays.hashCode(ipv6);
  }

  /** The addresses in brackets; past the first {@value #SHOWN_MAX} only how many more there are. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder("[");
    int shown = Math.min(size(), SHOWN_MAX);
    for (int i = 0; i < shown; i++) {
      at(i).appendTo(i == 0 ? out : out.append(", "));
    }
    if (size() > shown) {
      out.append(", and ").append(size() - shown).append(" more");
    }
    return out.append(']').toString();
  }

  private AddressSet with(int[] newIpv4, Ipv6Address[] otherIpv6) {
    Ipv6Address[] newIpv6 = otherIpv6.length == 0 ? Ipv6Sorted.EMPTY : otherIpv6;
    if (newIpv4 == ipv4 && newIpv6 == ipv6) {
      return this;
    }
    return newIpv4.length + newIpv6.length == 0 ? EMPTY : new AddressSet(newIpv4, newIpv6);
  }

  private AddressSet slice(int from, int to) {
    int split = ipv4.length;
    return with(
        Ipv4Sorted.slice(ipv4, Math.min(from, split), Math.min(to, split)),
        Ipv6Sorted.slice(ipv6, Math.max(from - split, 0), Math.max(to - split, 0)));
  }

  private int indexOfFirst(Cidr block) {
    return block.family() == IpFamily.IPV4
        ? Ipv4Sorted.countBelow(ipv4, (int) block.low())
        : ipv4.length + Ipv6Sorted.countBelow(ipv6, block);
  }

  private int indexAfter(Cidr block) {
    return block.family() == IpFamily.IPV4
        ? Ipv4Sorted.countUpTo(ipv4, (int) block.lastLow())
        : ipv4.length + Ipv6Sorted.countUpTo(ipv6, block);
  }

  private int bounded(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count is " + count + "; expected 0 or more");
    }
    return Math.min(count, size());
  }

  private static int bits(IpAddress address) {
    return ((Ipv4Address) address).bits();
  }

  /** Collects addresses in any order. Not thread-safe; reusable after {@link #build()}. */
  public static final class Builder {
    private int[] ipv4 = Ipv4Sorted.EMPTY;
    private int ipv4Count;
    private final List<Ipv6Address> ipv6 = new ArrayList<>(0);

    private Builder() {}

    public Builder add(IpAddress address) {
      if (address instanceof Ipv6Address v6) {
        ipv6.add(v6);
        return this;
      }
      return addIpv4(bits(address));
    }

    public Builder addAll(Iterable<? extends IpAddress> addresses) {
      addresses.forEach(this::add);
      return this;
    }

    /** Adds the IPv4 address with these bits. */
    public Builder addIpv4(int bits) {
      if (ipv4Count == ipv4.length) {
        ipv4 = Arrays.copyOf(ipv4, Math.max(8, 2 * ipv4Count));
      }
      ipv4[ipv4Count++] = bits;
      return this;
    }

    /** The set of everything added so far; the builder starts over empty. */
    public AddressSet build() {
      AddressSet set = EMPTY.with(Ipv4Sorted.ofUnsorted(ipv4, ipv4Count), Ipv6Sorted.of(ipv6));
      ipv4 = Ipv4Sorted.EMPTY;
      ipv4Count = 0;
      ipv6.clear();
      return set;
    }
  }
}
