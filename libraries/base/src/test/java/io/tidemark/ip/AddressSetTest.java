package io.tidemark.ip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AddressSetTest {
  private static final IpAddress A = IpAddress.parse("10.0.0.1");
  private static final IpAddress B = IpAddress.parse("200.0.0.1");
  private static final IpAddress C = IpAddress.parse("2001:db8::1");

  @Test
  @DisplayName("A set behaves as a sorted set of the same addresses, whatever is done to it")
  void likeTreeSet() {
    Seeds.forEach(
        1,
        20_000,
        random -> {
          NavigableSet<IpAddress> modelA = model(random);
          NavigableSet<IpAddress> modelB = model(random);
          AddressSet a = AddressSet.copyOf(shuffled(modelA, random));
          AddressSet b = AddressSet.copyOf(shuffled(modelB, random));
          assertSame(a, modelA);

          TreeSet<IpAddress> union = new TreeSet<>(modelA);
          union.addAll(modelB);
          assertSame(a.plus(b), union);
          TreeSet<IpAddress> difference = new TreeSet<>(modelA);
          difference.removeAll(modelB);
          assertSame(a.minus(b), difference);
          TreeSet<IpAddress> shared = new TreeSet<>(modelA);
          shared.retainAll(modelB);
          assertSame(a.intersect(b), shared);
          assertThat(a.intersects(b)).isEqualTo(!shared.isEmpty());
          assertThat(a.containsAll(b)).isEqualTo(modelA.containsAll(modelB));
          assertThat(a.containsAll(a.intersect(b))).isTrue();
          assertThat(a.equals(b)).isEqualTo(modelA.equals(modelB));

          IpAddress one = address(random);
          assertThat(a.contains(one)).isEqualTo(modelA.contains(one));
          int index = modelA.headSet(one).size();
          assertThat(a.indexOf(one)).isEqualTo(modelA.contains(one) ? index : -1 - index);
          TreeSet<IpAddress> with = new TreeSet<>(modelA);
          with.add(one);
          assertSame(a.plus(one), with);
          TreeSet<IpAddress> without = new TreeSet<>(modelA);
          without.remove(one);
          assertSame(a.minus(one), without);
        });
  }

  @Test
  @DisplayName("Parts of a set, by block and by rank, are those of the sorted set")
  void parts() {
    Seeds.forEach(
        1_000_000,
        20_000,
        random -> {
          NavigableSet<IpAddress> model = model(random);
          AddressSet set = AddressSet.copyOf(model);
          IpAddress near = address(random);
          Cidr block = Cidr.containing(near, random.nextInt(near.family().bits() + 1));
          List<IpAddress> inside = model.stream().filter(block::contains).toList();
          assertThat(set.countIn(block)).isEqualTo(inside.size());
          assertThat(set.containsAny(block)).isEqualTo(!inside.isEmpty());
          assertThat(set.within(block).toList()).isEqualTo(inside);

          int count = random.nextInt(model.size() + 3);
          List<IpAddress> all = List.copyOf(model);
          int kept = Math.min(count, all.size());
          assertThat(set.first(count).toList()).isEqualTo(all.subList(0, kept));
          assertThat(set.last(count).toList())
              .isEqualTo(all.subList(all.size() - kept, all.size()));
        });
  }

  @Test
  @DisplayName("An operation that changes nothing returns the same set; empty is one object")
  void shares() {
    AddressSet set = AddressSet.of(A, C);
    assertThat(set.plus(A)).isSameAs(set);
    assertThat(set.plus(AddressSet.of(C))).isSameAs(set);
    assertThat(set.plus(AddressSet.of())).isSameAs(set);
    assertThat(AddressSet.of().plus(set)).isSameAs(set);
    assertThat(set.minus(B)).isSameAs(set);
    assertThat(set.minus(AddressSet.of(B))).isSameAs(set);
    assertThat(set.minus(AddressSet.of(C.plus(1)))).isSameAs(set);
    assertThat(set.intersect(set)).isSameAs(set);
    assertThat(set.first(2)).isSameAs(set);
    assertThat(set.last(9)).isSameAs(set);
    assertThat(set.minus(A).minus(C)).isSameAs(AddressSet.of());
    assertThat(set.minus(set)).isSameAs(AddressSet.of());
    assertThat(set.intersect(AddressSet.of(B))).isSameAs(AddressSet.of());
    assertThat(set.first(0)).isSameAs(AddressSet.of());
    assertThat(AddressSet.builder().build()).isSameAs(AddressSet.of());
    assertThat(AddressSet.copyOf(List.of())).isSameAs(AddressSet.of());
  }

  @Test
  @DisplayName("Neighbouring addresses and blocks do not share a hash code")
  void spread() {
    Set<Integer> ofSets = new HashSet<>();
    Set<Integer> ofBlocks = new HashSet<>();
    Set<Integer> ofBlockSets = new HashSet<>();
    for (String first : List.of("10.0.0.0", "2001:db8::")) {
      for (int i = 0; i < 1_000; i++) {
        IpAddress address = IpAddress.parse(first).plus(i);
        ofSets.add(AddressSet.of(address).hashCode());
        ofBlocks.add(Cidr.single(address).hashCode());
        ofBlockSets.add(CidrSet.of().plus(Cidr.single(address)).hashCode());
      }
    }
    for (Set<Integer> codes : List.of(ofSets, ofBlocks, ofBlockSets)) {
      assertThat(codes).hasSizeGreaterThan(1_950);
    }
  }

  @Test
  @DisplayName("A range spells out its block, up to the stated size")
  void range() {
    assertThat(AddressSet.ofRange(Cidr.parse("10.0.0.248/30")))
        .extracting(IpAddress::toString)
        .containsExactly("10.0.0.248", "10.0.0.249", "10.0.0.250", "10.0.0.251");
    assertThat(AddressSet.ofRange(Cidr.parse("2001:db8::fffe/127")))
        .extracting(IpAddress::toString)
        .containsExactly("2001:db8::fffe", "2001:db8::ffff");
    assertThat(AddressSet.ofRange(Cidr.parse("0.0.0.0/12")).size())
        .isEqualTo(AddressSet.RANGE_SIZE_MAX);
    assertThatThrownBy(() -> AddressSet.ofRange(Cidr.parse("10.0.0.0/11")))
        .hasMessageContaining("10.0.0.0/11 is too big");
    assertThatThrownBy(() -> AddressSet.ofRange(Cidr.parse("::/0"))).hasMessageContaining("::/0");
  }

  @Test
  @DisplayName("The text names the addresses, and at most sixteen of them")
  void text() {
    assertThat(AddressSet.of()).hasToString("[]");
    assertThat(AddressSet.of(C, B, A)).hasToString("[10.0.0.1, 200.0.0.1, 2001:db8::1]");
    String longText = AddressSet.ofRange(Cidr.parse("10.0.0.0/16")).toString();
    assertThat(longText).startsWith("[10.0.0.0, 10.0.0.1, ").endsWith(", and 65520 more]");
    assertThat(longText).hasSizeLessThan(250);
  }

  @Test
  @DisplayName("IPv4 addresses are visited as bits, ascending and without the IPv6 ones")
  void visitsBits() {
    List<Ipv4Address> seen = new ArrayList<>();
    AddressSet set = AddressSet.of(C, B, A);
    set.forEachIpv4(bits -> seen.add(new Ipv4Address(bits)));
    assertThat(seen).containsExactly((Ipv4Address) A, (Ipv4Address) B);
    assertThat(set.ipv4Size()).isEqualTo(2);
  }

  @Test
  @DisplayName("A builder starts over after build, and a built set never changes")
  void builder() {
    AddressSet.Builder builder = AddressSet.builder().add(B).addIpv4(((Ipv4Address) A).bits());
    AddressSet first = builder.build();
    AddressSet second = builder.addAll(AddressSet.of(C, C)).build();
    assertThat(first).containsExactly(A, B);
    assertThat(second).containsExactly(C);
  }

  @Test
  @DisplayName("Ranks and iteration past the end are refused")
  void bounds() {
    AddressSet set = AddressSet.of(A);
    assertThatThrownBy(() -> set.first(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("count is -1; expected 0 or more");
    assertThatThrownBy(() -> set.last(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("count is -1; expected 0 or more");
    assertThatThrownBy(() -> set.at(1))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("index 1 of 1 addresses");
    assertThatThrownBy(() -> set.at(-1))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("index -1 of 1 addresses");
    Iterator<IpAddress> iterator = set.iterator();
    iterator.next();
    assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(iterator::remove).isInstanceOf(UnsupportedOperationException.class);
  }

  private static void assertSame(AddressSet set, NavigableSet<IpAddress> model) {
    assertThat(set).containsExactlyElementsOf(model);
    assertThat(set.size()).isEqualTo(model.size());
    assertThat(set.isEmpty()).isEqualTo(model.isEmpty());
    assertThat(set.toList()).isEqualTo(List.copyOf(model));
    assertThat(set).isEqualTo(AddressSet.copyOf(model));
    assertThat(set.hashCode()).isEqualTo(AddressSet.copyOf(model).hashCode());
    assertThat(set.first()).isEqualTo(model.stream().findFirst());
  }

  /** Up to 24 addresses from a small universe on both sides of every sign bit. */
  private static NavigableSet<IpAddress> model(Random random) {
    NavigableSet<IpAddress> model = new TreeSet<>();
    for (int i = random.nextInt(25); i > 0; i--) {
      model.add(address(random));
    }
    return model;
  }

  private static IpAddress address(Random random) {
    int bits = random.nextInt(24) - 12;
    return switch (random.nextInt(4)) {
      case 0 -> new Ipv4Address(bits);
      case 1 -> new Ipv4Address(bits ^ Integer.MIN_VALUE);
      case 2 -> new Ipv6Address(random.nextInt(3) - 1, bits);
      default -> new Ipv6Address(Long.MIN_VALUE, bits);
    };
  }

  private static List<IpAddress> shuffled(NavigableSet<IpAddress> model, Random random) {
    List<IpAddress> list = new ArrayList<>(model);
    model.stream().findFirst().ifPresent(list::add);
    if (random.nextBoolean()) {
      Collections.shuffle(list, random);
    }
    return list;
  }
}
