package io.tidemark.nodecidr.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.TestCidrs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The blocks of one range")
class BlockSpaceTest {
  private static BlockSpace space(String range, int length) {
    return BlockSpace.of(Cidr.parseLenient(range), length, List.of());
  }

  private static List<Cidr> allocate(BlockSpace space, int count) {
    List<Cidr> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(space.allocateNext().orElseThrow());
    }
    return blocks;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"127.123.234.0/30, 30", "beef:1234::/30, 30"})
  @DisplayName("NC-1 NC-2 A range of one block gives it out, and again after its release")
  void one(String text, int length) {
    BlockSpace space = space(text, length);
    Cidr range = space.range();
    assertThat(space.allocateNext()).contains(range);
    assertThat(space.allocateNext()).isEmpty();
    assertThat(space.release(range)).isEqualTo(1);
    assertThat(space.allocateNext()).contains(range);
    assertThat(space.allocateNext()).isEmpty();
  }

  @DisplayName("NC-3 NC-I6 An index is a block, and the block that index")
  @ParameterizedTest(name = "{0} by /{1} at {2} is {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          127.123.3.0/16               | 24 | 0    | 127.123.0.0/24
          127.123.0.0/16               | 24 | 15   | 127.123.15.0/24
          192.168.5.219/28             | 32 | 5    | 192.168.5.213/32
          2001:db8:1234:3::/48         | 64 | 0    | 2001:db8:1234::/64
          2001:db8:1234::/48           | 64 | 15   | 2001:db8:1234:f::/64
          2001:db8:85a3::8a2e:370:7334/50 | 63 | 6425 | 2001:db8:85a3:3232::/63
          2001:db8::/32                | 48 | 0    | 2001:db8::/48
          2001:db8::/32                | 48 | 15   | 2001:db8:f::/48
          2001:db8:85a3::8a2e:370:7334/32 | 48 | 6425 | 2001:db8:1919::/48
          2001:db8:1234:ff00::/56      | 72 | 0    | 2001:db8:1234:ff00::/72
          2001:db8:1234:ff00::/56      | 72 | 15   | 2001:db8:1234:ff00:f00::/72
          2001:db8:1234:ff00::0370:7334/56 | 72 | 6425 | 2001:db8:1234:ff19:1900::/72
          2001:db8:1234:0:1234::/80    | 96 | 0    | 2001:db8:1234:0:1234::/96
          2001:db8:1234:0:1234::/80    | 96 | 15   | 2001:db8:1234:0:1234:f::/96
          2001:db8:1234:ff00::370:7334/80 | 96 | 6425 | 2001:db8:1234:ff00:0:1919::/96
          """)
  void index(String range, int length, int index, Cidr block) {
    BlockSpace space = space(range, length);
    if (index > 0) {
      space.occupy(space.range());
      assertThat(space.release(block)).isEqualTo(1);
    }
    assertThat(space.allocateNext()).contains(block);
    assertThat(space.cursor()).isEqualTo(index + 1);
    assertThat(space.range().subnetIndex(block, length)).isEqualTo(index);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.123.234.0/16", "beef:1234::/16"})
  @DisplayName("NC-4 After everything was released, the same blocks come in the same order")
  void again(String text) {
    BlockSpace space = space(text, 24);
    List<Cidr> first = allocate(space, 256);
    assertThat(space.allocateNext()).isEmpty();
    assertThat(first).doesNotHaveDuplicates();
    first.forEach(block -> assertThat(space.release(block)).isEqualTo(1));
    assertThat(allocate(space, 256)).isEqualTo(first);
    assertThat(space.allocateNext()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.123.234.0/16", "beef:1234::/16"})
  @DisplayName("NC-5 NC-I5 What is occupied twice is occupied, and the others come in order")
  void doublyOccupied(String text) {
    BlockSpace space = space(text, 24);
    List<Cidr> all = allocate(space, 256);
    assertThat(space.release(space.range())).isEqualTo(256);
    all.subList(128, 256).forEach(block -> assertThat(space.occupy(block)).isEqualTo(1));
    assertThat(space.occupy(all.get(128))).isZero();
    assertThat(allocate(space, 128)).isEqualTo(all.subList(0, 128));
    assertThat(space.allocateNext()).isEmpty();
  }

  @Test
  @DisplayName("NC-6 Only blocks that change are counted")
  void counted() {
    BlockSpace space = space("10.42.0.0/16", 24);
    List<Long> taken = new ArrayList<>();
    for (String step :
        List.of(
            "+10.42.5.0/24",
            "+10.42.9.0/24",
            "+10.42.8.0/22",
            "+10.42.9.0/24",
            "-10.42.9.0/24",
            "-10.42.9.0/24",
            "-10.42.4.0/22")) {
      Cidr cidr = Cidr.parse(step.substring(1));
      if (step.charAt(0) == '+') {
        space.occupy(cidr);
      } else {
        space.release(cidr);
      }
      taken.add(256 - space.freeCount());
    }
    assertThat(taken).containsExactly(1L, 2L, 5L, 5L, 4L, 4L, 3L);
    assertThat(allocate(space, 253)).doesNotHaveDuplicates();
    assertThat(space.allocateNext()).isEmpty();
  }

  @DisplayName("NC-7 An address leads to its block, and none outside the range")
  @ParameterizedTest(name = "{2} in {0} by /{1}: {3}")
  @CsvSource({
    "127.0.0.0/8, 16, 127.0.0.0, 0",
    "127.0.0.0/8, 16, 127.123.0.0, 123",
    "127.0.0.0/8, 16, 127.168.0.0, 168",
    "127.0.0.0/8, 16, 127.224.0.0, 224",
    "be00::/8, 16, be00::, 0",
    "be00::/8, 16, beef::, 239",
    "be00::/8, 16, be68::, 104",
    "be00::/8, 16, be24::, 36",
    "192.168.0.0/16, 24, 192.168.12.0, 12",
    "192.168.0.0/16, 24, 192.168.151.0, 151",
    "192.168.0.0/16, 24, 127.168.224.0, -1",
    "beef::/16, 24, beef:1200::, 18",
    "beef::/16, 24, beef:9700::, 151",
    "beef::/16, 24, 2001:db00::, -1",
  })
  void address(String range, int length, String address, int index) {
    BlockSpace space = space(range, length);
    Cidr cidr = Cidr.parseLenient(address + (address.contains(":") ? "/128" : "/32"));
    if (index < 0) {
      assertThatThrownBy(() -> space.occupy(cidr))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("cidr " + cidr + " is out the range of cluster cidr " + space.range());
    } else {
      assertThat(space.occupy(cidr)).isEqualTo(1);
      assertThat(space.countFree(space.range().subnet(length, index))).isZero();
    }
  }

  @DisplayName("NC-8 NC-9 NC-I4 Occupying takes the blocks that are touched, and no other")
  @ParameterizedTest(name = "{2} in {0} by /{1}: {3} to {4}")
  @CsvSource({
    "127.0.0.0/8, 16, 127.0.0.0/8, 0, 255",
    "127.0.0.0/8, 16, 64.0.0.0/2, 0, 255",
    "127.0.0.0/8, 16, 127.0.0.0/16, 0, 0",
    "2001:beef:1200::/40, 48, 2001:beef:1200::/40, 0, 255",
    "2001:beef:1200::/40, 48, 2001:beef::/34, 0, 255",
    "2001:beef:1200::/40, 48, 2001:beef:1200::/48, 0, 0",
    "127.0.0.0/8, 32, 127.0.0.0/16, 0, 65535",
    "2001:beef:1200::/48, 64, 2001:beef:1200::/48, 0, 65535",
    "126.0.0.0/7, 16, 127.0.0.0/15, 256, 257",
    "126.0.0.0/7, 15, 127.0.0.0/15, 128, 128",
    "126.0.0.0/7, 18, 127.0.0.0/15, 1024, 1031",
    "2001:beef:7e00::/39, 48, 2001:beef:7f00::/47, 256, 257",
    "2001:beef:7e00::/39, 47, 2001:beef:7f00::/47, 128, 128",
    "2001:beef:7e00::/39, 50, 2001:beef:7f00::/47, 1024, 1031",
    "10.0.0.0/8, 24, 10.0.7.16/28, 7, 7",
  })
  void occupied(String range, int length, String cidr, long begin, long end) {
    BlockSpace space = space(range, length);
    assertThat(space.occupy(Cidr.parse(cidr))).isEqualTo(end - begin + 1);
    for (long at : new long[] {begin - 1, begin, end, end + 1}) {
      if (at >= 0 && at < space.capacity()) {
        assertThat(space.countFree(space.range().subnet(length, at)))
            .as("block %d", at)
            .isEqualTo(at < begin || at > end ? 1 : 0);
      }
    }
    assertThat(space.cursor()).isZero();
    assertThat(space.release(Cidr.parse(cidr))).isEqualTo(end - begin + 1);
    assertThat(space.freeCount()).isEqualTo(space.capacity());
  }

  @Test
  @DisplayName("NC-10 Blocks of single addresses, of the last group, and of more than 2^16 of IPv6")
  void lengths() {
    assertThat(allocate(space("127.0.0.0/8", 32), 2))
        .containsExactly(Cidr.parse("127.0.0.0/32"), Cidr.parse("127.0.0.1/32"));
    assertThat(allocate(space("2001:beef:1234:369b::/60", 64), 2))
        .containsExactly(
            Cidr.parse("2001:beef:1234:3690::/64"), Cidr.parse("2001:beef:1234:3691::/64"));
    assertThat(space("beef:1234::/32", 49).capacity()).isEqualTo(1 << 17);
    assertThatThrownBy(() -> space("10.0.0.0/24", 23)).hasMessage("/23 is wider than 10.0.0.0/24");
    assertThatThrownBy(() -> space("10.0.0.0/24", 33)).hasMessageContaining("is 33");
  }

  @Test
  @DisplayName("NC-11 NC-12 Changes and blocks passed over are counted as by the reference")
  void figures() {
    BlockSpace space = space("10.0.0.0/16", 24);
    assertThat(space.capacity()).isEqualTo(256);
    for (int i = 0; i < 256; i++) {
      assertThat(space.allocateNext()).isPresent();
      assertThat(space.passedOver()).isZero();
    }
    assertThat(space.release(space.range())).isEqualTo(256);
    assertThat(space.occupy(space.range())).isEqualTo(256);

    BlockSpace half = space("10.0.0.0/16", 24);
    assertThat(half.occupy(Cidr.parse("10.0.0.0/17"))).isEqualTo(128);
    assertThat(half.allocateNext()).contains(Cidr.parse("10.0.128.0/24"));
    assertThat(half.passedOver()).isEqualTo(128);
    half.occupy(Cidr.parse("10.0.129.0/24"));
    half.occupy(Cidr.parse("10.0.130.0/23"));
    half.occupy(Cidr.parse("10.0.132.0/22"));
    half.occupy(Cidr.parse("10.0.136.0/21"));
    half.occupy(Cidr.parse("10.0.144.0/20"));
    half.occupy(Cidr.parse("10.0.160.0/19"));
    half.occupy(Cidr.parse("10.0.192.0/18"));
    half.release(Cidr.parse("10.0.3.0/24"));
    assertThat(half.allocateNext()).contains(Cidr.parse("10.0.3.0/24"));
    assertThat(half.passedOver()).as("127 to the end, then 3").isEqualTo(130);
  }

  @Test
  @DisplayName("NC-13 NC-14 Two ranges know nothing of each other, and how many blocks they have")
  void independent() {
    BlockSpace ipv4 = space("10.0.0.0/16", 24);
    BlockSpace ipv6 = space("2001:db8::/48", 64);
    assertThat(ipv4.capacity()).isEqualTo(256);
    assertThat(ipv6.capacity()).isEqualTo(65_536);
    assertThat(ipv4.occupy(ipv4.range())).isEqualTo(256);
    assertThat(ipv6.occupy(ipv6.range())).isEqualTo(65_536);
    assertThat(ipv4.release(ipv4.range())).isEqualTo(256);
    assertThat(ipv6).hasToString("2001:db8::/48 by /64, 0 of 65536 free");
  }

  @Test
  @DisplayName("A released block comes again only when the cursor has gone round")
  void lateReuse() {
    BlockSpace space = space("10.0.0.0/22", 24);
    List<Cidr> two = allocate(space, 2);
    space.release(two.get(0));
    assertThat(allocate(space, 3))
        .containsExactly(
            Cidr.parse("10.0.2.0/24"), Cidr.parse("10.0.3.0/24"), Cidr.parse("10.0.0.0/24"));
  }

  @ParameterizedTest(name = "{0} by /{1}")
  @CsvSource({"10.0.0.0/8, 32", "2000::/10, 98", "::/0, 128", "2001:db8::/40, 65"})
  @DisplayName("NC-71 NC-I3 A space of any size gives blocks out and takes them back at both ends")
  void anySize(String range, int length) {
    BlockSpace space = space(range, length);
    assertThat(space.allocateNext()).contains(space.range().subnet(length, 0));
    assertThat(space.allocateNext()).contains(space.range().subnet(length, 1));
    long before = space.freeCount();
    Cidr last = Cidr.containing(space.range().last(), length);
    long counted = space.capacity() == space.range().subnetCountSaturated(length) ? 1 : 0;
    assertThat(space.occupy(last)).isEqualTo(counted);
    assertThat(space.occupy(last)).isZero();
    assertThat(space.freeCount()).isEqualTo(before - counted);
    assertThat(space.release(last)).isEqualTo(counted);
    assertThat(space.countFree(space.range())).isEqualTo(before);
    assertThat(space.occupy(space.range())).isEqualTo(before);
    assertThat(space.allocateNext()).isEmpty();
    assertThat(space.release(space.range())).isEqualTo(space.capacity());
  }

  @DisplayName("NC-71 Of more than 2^62 blocks, those are allocated which exclusions leave")
  @ParameterizedTest(name = "{0} by /{1} without {2}: {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2001:db8::/32 | 96  | 2001:db8::/34                                  | 2001:db8:4000::/96
          2001:db8::/32 | 96  | 2001:db8::/33                                  | 2001:db8:8000::/96
          2001:db8::/32 | 96  | 2001:db8::/36 2001:db8:1000::/36 2001:db8:2000::/35 | 2001:db8:4000::/96
          2001:db8::/32 | 96  | 2001:db8::/40                                  | 2001:db8:100::/96
          2001:db8::/32 | 96  | 2001:db8::/33 2001:db8:8000::/35 2001:db8:a000::/36 2001:db8:c000::/34 | 2001:db8:b000::/96
          ::/0          | 128 | ::/1 10.0.0.0/8                                | 8000::/128
          2001:db8::/32 | 96  | 2001:db8::/32                                  |
          """)
  void part(String range, int length, String excluded, Cidr first) {
    List<Cidr> exclusions = Stream.of(excluded.split(" ")).map(Cidr::parse).toList();
    BlockSpace space = BlockSpace.of(Cidr.parse(range), length, exclusions);
    exclusions.stream().filter(space.range()::overlaps).forEach(space::occupy);
    assertThat(space.allocateNext()).isEqualTo(Optional.ofNullable(first));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "10.1.0.0/16, 10.0.255.0/24, 256",
    "10.1.0.0/16, 10.1.0.0/24, 255",
    "10.1.0.0/16, 10.1.255.0/24, 255",
    "10.1.0.0/16, 10.2.0.0/24, 256",
  })
  @DisplayName("NC-69 Services take their blocks out of the range, and no other")
  void services(String range, String service, int expected) {
    CidrLedger ledger = new CidrLedger(TestCidrs.of(range + ",24 -" + service), Duration.ZERO);
    List<Cidr> blocks = new ArrayList<>();
    while (ledger.reserve(TestCidrs.named("node-" + blocks.size()), 0)
        instanceof ReserveOutcome.Reserved reserved) {
      blocks.addAll(reserved.reservation().blocks());
    }
    assertThat(blocks).hasSize(expected).doesNotHaveDuplicates();
    assertThat(blocks).noneMatch(Cidr.parse(service)::overlaps);
  }
}
