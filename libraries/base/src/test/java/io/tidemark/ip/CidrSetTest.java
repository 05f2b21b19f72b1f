package io.tidemark.ip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CidrSetTest {
  @DisplayName("A65 A set is written with the fewest blocks")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10.0.0.0/25 10.0.0.128/25                      | [10.0.0.0/24]
          10.0.0.128/25 10.0.0.0/25 10.0.1.0/24          | [10.0.0.0/23]
          10.0.1.0/24 10.0.2.0/24                        | [10.0.1.0/24, 10.0.2.0/24]
          10.0.0.0/8 10.1.0.0/16 10.0.0.0/8              | [10.0.0.0/8]
          0.0.0.0/1 128.0.0.0/1                          | [0.0.0.0/0]
          ::/1 8000::/1 0.0.0.0/0                        | [0.0.0.0/0, ::/0]
          ::1/128 ::/128 ::2/127                         | [::/126]
          255.255.255.255/32 ::/128                      | [255.255.255.255/32, ::/128]
          10.105.0.0/16 10.104.0.0/19 10.0.0.0/8         | [10.0.0.0/8]
          f00d::/97 10.0.0.0/8 f00d::/96 10.104.0.0/19   | [10.0.0.0/8, f00d::/96]
          10.1.0.0/17 10.1.128.0/17                      | [10.1.0.0/16]
          fd00::/64 192.168.0.0/24 10.0.0.0/24           | [10.0.0.0/24, 192.168.0.0/24, fd00::/64]
          """)
  void canonical(String blocks, String expected) {
    CidrSet set = set(blocks.split(" "));
    assertThat(set).hasToString(expected);
    assertThat(CidrSet.of().plus(set)).isEqualTo(set).hasSameHashCodeAs(set);
  }

  @Test
  @DisplayName("Taking a block out of a wide one leaves the blocks around it")
  void minus() {
    assertThat(set("10.0.0.0/24").minus(Cidr.parse("10.0.0.64/28")))
        .hasToString("[10.0.0.0/26, 10.0.0.80/28, 10.0.0.96/27, 10.0.0.128/25]");
    CidrSet everything = set("::/0");
    CidrSet rest = everything.minus(Cidr.parse("::1/128"));
    assertThat(rest).hasSize(128);
    assertThat(rest.plus(Cidr.parse("::1/128"))).isEqualTo(everything);
  }

  @Test
  @DisplayName("Empty sets are one object")
  void empty() {
    assertThat(set("10.0.0.0/24").minus(Cidr.parse("0.0.0.0/0"))).isSameAs(CidrSet.of());
    assertThat(CidrSet.copyOf(List.of())).isSameAs(CidrSet.of());
  }

  @Test
  @DisplayName("A set behaves as the set of its addresses, whatever is done to it")
  void likeAddresses() {
    Seeds.forEach(
        1,
        20_000,
        random -> {
          List<Cidr> blocksA = blocks(random);
          List<Cidr> blocksB = blocks(random);
          CidrSet a = CidrSet.copyOf(blocksA);
          CidrSet b = CidrSet.copyOf(blocksB);
          AddressSet addressesA = addresses(blocksA);
          AddressSet addressesB = addresses(blocksB);
          assertSame(a, addressesA);
          assertSame(a.plus(b), addressesA.plus(addressesB));
          assertThat(a.equals(b)).isEqualTo(addressesA.equals(addressesB));

          Cidr block = block(random);
          AddressSet range = AddressSet.ofRange(block);
          assertSame(a.plus(block), addressesA.plus(range));
          assertSame(a.minus(block), addressesA.minus(range));
          assertThat(a.overlaps(block)).isEqualTo(addressesA.intersects(range));
          assertThat(a.contains(block)).isEqualTo(addressesA.containsAll(range));
          assertThat(a.contains(block.last())).isEqualTo(addressesA.contains(block.last()));
        });
  }

  private static void assertSame(CidrSet set, AddressSet addresses) {
    assertThat(addresses(set)).isEqualTo(addresses);
    assertThat(set)
        .as("the fewest blocks, in order")
        .isEqualTo(CidrSet.copyOf(addresses.toList().stream().map(Cidr::single).toList()));
  }

  private static AddressSet addresses(Iterable<Cidr> blocks) {
    AddressSet.Builder builder = AddressSet.builder();
    blocks.forEach(block -> builder.addAll(AddressSet.ofRange(block)));
    return builder.build();
  }

  private static List<Cidr> blocks(Random random) {
    List<Cidr> blocks = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      blocks.add(block(random));
    }
    return blocks;
  }

  /** A block of at most 16 addresses in one of two small universes at the ends of their space. */
  private static Cidr block(Random random) {
    IpAddress address =
        random.nextInt(3) == 0
            ? new Ipv6Address(0, random.nextInt(32))
            : new Ipv4Address(-1 - random.nextInt(64));
    return Cidr.containing(address, address.family().bits() - random.nextInt(5));
  }

  private static CidrSet set(String... blocks) {
    return CidrSet.copyOf(Stream.of(blocks).map(Cidr::parse).toList());
  }
}
