package io.tidemark.ip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CidrTest {
  @DisplayName("Text that is no block is refused with the reason")
  @ParameterizedTest(name = "\"{0}\": {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          ""             | no /length
          "10.0.0.0"     | no /length
          "/24"          | in the address, it is empty
          "10.0.0.0/"    | number from 0 to 32
          "10.0.0.0/33"  | number from 0 to 32
          "10.0.0.0/-1"  | number from 0 to 32
          "10.0.0.0/+8"  | number from 0 to 32
          "10.0.0.0/08"  | number from 0 to 32
          "10.0.0.0/8 "  | number from 0 to 32
          "0.0.0.0/1."   | number from 0 to 32
          "0.0.0.0/:"    | number from 0 to 32
          "::/1/"        | number from 0 to 128
          "::/:"         | number from 0 to 128
          "10.0.0.0/8/8" | number from 0 to 32
          "10.0.0.0/4294967304" | number from 0 to 32
          "10.0.0.0/255.0.0.0"  | number from 0 to 32
          "::/129"       | number from 0 to 128
          "10.0.0.1/24"  | host bits set; the block is 10.0.0.0/24
          "::1/127"      | host bits set; the block is ::/127
          "2001:db8::1:0:0:0/64" | host bits set; the block is 2001:db8::/64
          "10.0.0/24"    | in the address, it has fewer than four octets
          "fe80::%eth0/64" | in the address, zone ids are not accepted
          " 10.0.0.0/8"  | in the address, it contains white space
          """)
  void refused(String text, String why) {
    assertThatThrownBy(() -> Cidr.parse(text))
        .isInstanceOf(IpFormatException.class)
        .hasMessageStartingWith('"' + text + "\" is not a CIDR block: ")
        .hasMessageContaining(why);
    assertThat(Cidr.tryParse(text)).isEmpty();
  }

  @Test
  @DisplayName("A factory refuses host bits and lengths that the family does not have")
  void factories() {
    IpAddress address = IpAddress.parse("10.0.0.1");
    assertThatThrownBy(() -> Cidr.of(address, 24))
        .hasMessage("10.0.0.1/24 has host bits set; the block is 10.0.0.0/24");
    assertThat(Cidr.containing(address, 24)).isEqualTo(Cidr.parse("10.0.0.0/24"));
    assertThat(Cidr.single(address)).isEqualTo(Cidr.parse("10.0.0.1/32"));
    assertThat(Cidr.single(IpAddress.parse("::1"))).isEqualTo(Cidr.parse("::1/128"));
    assertThatThrownBy(() -> Cidr.containing(address, 33)).hasMessageContaining("is 33");
    assertThatThrownBy(() -> Cidr.containing(address, -1)).hasMessageContaining("is -1");
    assertThatThrownBy(() -> Cidr.of(IpAddress.parse("::"), 129)).hasMessageContaining("0 to 128");
  }

  @DisplayName("An IPv4 block and the IPv6 block that maps or embeds it have nothing in common")
  @ParameterizedTest(name = "{0} and {1}")
  @CsvSource({
    "0.0.0.0/0, ::ffff:0.0.0.0/96",
    "0.0.0.0/0, ::/0",
    "10.0.0.16/28, ::ffff:10.0.0.16/124",
    "10.0.0.16/28, ::a00:10/124",
    "255.255.255.255/32, ::ffff:255.255.255.255/128",
    "255.255.255.255/32, ::ffff:ffff/128",
  })
  void mapped(Cidr ipv4, Cidr ipv6) {
    assertThat(ipv4.contains(ipv6)).isFalse();
    assertThat(ipv6.contains(ipv4)).isFalse();
    assertThat(ipv4.overlaps(ipv6)).isFalse();
    assertThat(ipv6.overlaps(ipv4)).isFalse();
    for (IpAddress inIpv6 : List.of(ipv6.first(), ipv6.last())) {
      assertThat(ipv4.contains(inIpv6)).as("%s in %s", inIpv6, ipv4).isFalse();
      assertThatThrownBy(() -> ipv4.indexOf(inIpv6)).hasMessageContaining("is not in " + ipv4);
    }
    for (IpAddress inIpv4 : List.of(ipv4.first(), ipv4.last())) {
      assertThat(ipv6.contains(inIpv4)).as("%s in %s", inIpv4, ipv6).isFalse();
    }
  }

  @Test
  @DisplayName("Offsets lead to addresses and back, and stay inside the block")
  void offsets() {
    Cidr block = Cidr.parse("10.0.0.16/28");
    assertThatThrownBy(() -> block.address(16)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> block.address(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> block.indexOf(IpAddress.parse("10.0.0.32")))
        .isInstanceOf(IllegalArgumentException.class);
    Cidr quarter = Cidr.parse("2001:db8::/66");
    assertThat(quarter.address((1L << 62) - 1)).isEqualTo(quarter.last());
    assertThatThrownBy(() -> quarter.address(1L << 62))
        .isInstanceOf(IndexOutOfBoundsException.class);
    Cidr half = Cidr.parse("2001:db8::/65");
    assertThat(half.address(Long.MAX_VALUE)).isEqualTo(half.last());
    Cidr wide = Cidr.parse("2001:db8::/32");
    IpAddress far = wide.address(Long.MAX_VALUE);
    assertThat(far).hasToString("2001:db8::7fff:ffff:ffff:ffff");
    assertThat(wide.indexOf(far)).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(() -> wide.indexOf(far.plus(1))).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> wide.indexOf(wide.last())).isInstanceOf(ArithmeticException.class);
  }

  @Test
  @DisplayName("Subnets come ascending and end at the last, also at the end of the space")
  void subnets() {
    assertThat(Cidr.parse("255.255.255.254/31").subnets(32))
        .extracting(Cidr::toString)
        .containsExactly("255.255.255.254/32", "255.255.255.255/32");
    assertThat(Cidr.parse("::/0").subnets(0)).containsExactly(Cidr.parse("::/0"));
    assertThat(Cidr.parse("0.0.0.0/0").subnets(1)).hasSize(2);
    assertThatThrownBy(() -> Cidr.parse("10.0.0.0/26").subnets(25)).hasMessageContaining("/25");
    assertThatThrownBy(() -> Cidr.parse("10.0.0.0/26").subnets(33)).hasMessageContaining("33");
    Iterator<Cidr> one = Cidr.parse("10.0.0.0/26").subnets(26).iterator();
    one.next();
    assertThatThrownBy(one::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  @DisplayName("A subnet is found by its index without walking there")
  void subnetByIndex() {
    Cidr block = Cidr.parse("2001:db8::/64");
    assertThat(block.subnetCountSaturated(80)).isEqualTo(65_536);
    assertThat(block.subnet(80, 65_535)).hasToString("2001:db8:0:0:ffff::/80");
    assertThat(Cidr.parse("::/0").subnetCountSaturated(128)).isEqualTo(Long.MAX_VALUE);
    assertThat(Cidr.parse("::/0").subnetCountSaturated(62)).isEqualTo(1L << 62);
    assertThat(Cidr.parse("::/0").subnetCountSaturated(63)).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(() -> block.subnetCountSaturated(63))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("/63 is wider than 2001:db8::/64");
    assertThatThrownBy(() -> block.subnetCountSaturated(129)).hasMessageContaining("is 129");
    assertThatThrownBy(() -> block.subnet(80, 65_536))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> block.subnet(80, -1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  @DisplayName("What lies outside, or too far inside, has no index")
  void noSubnetIndex() {
    Cidr whole = Cidr.parse("10.0.0.0/8");
    assertThatThrownBy(() -> whole.subnetIndex(Cidr.parse("11.0.0.0/16"), 16))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("11.0.0.0/16 is not in 10.0.0.0/8");
    assertThatThrownBy(() -> whole.subnetIndex(Cidr.parse("0.0.0.0/0"), 16))
        .hasMessage("0.0.0.0/0 is not in 10.0.0.0/8");
    assertThatThrownBy(() -> whole.subnetIndex(Cidr.parse("::a00:0/104"), 16))
        .hasMessage("::a00:0/104 is not in 10.0.0.0/8");
    assertThatThrownBy(() -> whole.subnetIndex(Cidr.parse("10.0.0.0/16"), 7))
        .hasMessage("/7 is wider than 10.0.0.0/8");
    assertThatThrownBy(() -> Cidr.parse("::/0").subnetIndex(Cidr.parse("8000::/64"), 64))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage("the index of 8000::/64 in ::/0 is too big");
  }

  @DisplayName(
      "Text of nodes is read with host bits and leading zeros, and nothing else is forgiven")
  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          010.10.0.0/24        | 10.10.0.0/24
          10.10.0.1/24         | 10.10.0.0/24
          192.168.5.219/28     | 192.168.5.208/28
          0000010.000.08.9/016 | 10.0.0.0/16
          000.0.0.0/00         | 0.0.0.0/0
          10.0.0.0/8           | 10.0.0.0/8
          a00::1/86            | a00::/86
          a00::/0064           | a00::/64
          ::ffff:010.0.0.1/128 | ::ffff:10.0.0.1/128
          10.0.0.256/24        | in the address, an octet is above 255
          10.0.0.000256/24     | in the address, an octet is above 255
          10.0.0/24            | in the address, it has fewer than four octets
          10.10..0/24          | in the address, unexpected '.' at position 6
          10.0.0.0             | it has no /length
          10.0.0.0/            | the length must be a number from 0 to 32
          10.0.0.0/33          | the length must be a number from 0 to 32
          10.0.0.0/0000        | 0.0.0.0/0
          10.0.0.0/x           | the length must be a number from 0 to 32
          00000::/16           | in the address, a group has more than four digits
          """)
  void lenient(String text, String expected) {
    if (expected.indexOf('/') > 0 && !expected.contains(" ")) {
      assertThat(Cidr.parseLenient(text)).hasToString(expected);
      assertThat(Cidr.tryParse(text).isPresent()).isEqualTo(text.equals(expected));
    } else {
      assertThatThrownBy(() -> Cidr.parseLenient(text))
          .isInstanceOf(IpFormatException.class)
          .hasMessage('"' + text + "\" is not a CIDR block: " + expected);
    }
  }

  @Test
  @DisplayName("A block sorts directly before what it contains; parents lead to the whole family")
  void orderAndParents() {
    List<Cidr> ascending =
        List.of(
            Cidr.parse("10.0.0.0/8"),
            Cidr.parse("10.0.0.0/16"),
            Cidr.parse("10.0.0.0/32"),
            Cidr.parse("10.1.0.0/16"),
            Cidr.parse("200.0.0.0/8"),
            Cidr.parse("::/0"),
            Cidr.parse("8000::/1"));
    List<Cidr> sorted = new ArrayList<>(ascending);
    Collections.reverse(sorted);
    sorted.sort(null);
    assertThat(sorted).isEqualTo(ascending);
    assertThat(Cidr.parse("10.1.0.0/16").parent()).contains(Cidr.parse("10.0.0.0/15"));
    assertThat(Cidr.parse("::/0").parent()).isEmpty();
    assertThat(Cidr.parse("0.0.0.0/0")).isNotEqualTo(Cidr.parse("::/0"));
  }
}
