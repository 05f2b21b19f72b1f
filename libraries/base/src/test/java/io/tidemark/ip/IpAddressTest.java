package io.tidemark.ip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IpAddressTest {
  @DisplayName("Text that is no address is refused with the reason")
  @ParameterizedTest(name = "\"{0}\": {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          ""                     | empty
          " "                    | white space
          " 10.0.0.1"            | white space
          "10.0.0.1 "            | white space
          "10.0. 0.1"            | white space
          "::1 "                 | white space
          "10.0.0"               | fewer than four octets
          "10.0.0."              | an octet is missing
          "10..0.1"              | unexpected '.' at position 3
          ".10.0.1"              | unexpected '.' at position 0
          "10.0.0.1.2"           | unexpected '.' at position 8
          "10.0.0.256"           | above 255
          "10.0.0.1000"          | above 255
          "10.0.0.99999999999"   | above 255
          "010.0.0.1"            | leading zero
          "10.0.0.00"            | leading zero
          "10.0.0.-1"            | unexpected '-'
          "+10.0.0.1"            | unexpected '+'
          "0x0a.0.0.1"           | unexpected 'x'
          "10.0.0.1/32"          | unexpected '/'
          "10.0.0.1%eth0"        | zone ids
          "fe80::1%eth0"         | zone ids
          "fe80::%1"             | zone ids
          "[::1]"                | unexpected '['
          "::1/128"              | unexpected '/'
          ":"                    | single colon
          ":1::"                 | starts with a single colon
          "1:"                   | ends with a single colon
          "1::2:"                | ends with a single colon
          "1::2::3"              | more than one
          "::1::"                | more than one
          ":::"                  | unexpected ':'
          "1:::2"                | unexpected ':'
          "12345::"              | more than four digits
          "::00001"              | more than four digits
          "g::"                  | unexpected 'g'
          "1:2:3:4:5:6:7"        | fewer than eight groups
          "1:2:3:4:5:6:7:8:9"    | more than eight groups
          "::1:2:3:4:5:6:7:8:9"  | more than eight groups
          "::1:2:3:4:5:6:7:8"    | stands for no group
          "1:2:3:4:5:6:7:8::"    | stands for no group
          "1:2:3:4:5:6:7:1.2.3.4"| place of two groups
          "1:2:3:4:5:1.2.3.4"    | fewer than eight groups
          "::1:2:3:4:5:6:1.2.3.4"| stands for no group
          "::1.2.3.4:5"          | unexpected ':'
          "::1.2.3"              | fewer than four octets
          "::ffff:01.2.3.4"      | leading zero
          "::ffff:1.2.3.256"     | above 255
          "::ffff:a.2.3.4"       | unexpected 'a'
          "1.2.3.4::"            | unexpected ':'
          "localhost"            | unexpected 'l'
          "10.0.0.~1"            | unexpected '~' at position 7
          "1:2:~"                | unexpected '~' at position 4
          "１.2.3.4"             | unexpected character at position 0
          "::１"                 | unexpected character at position 2
          """)
  void refused(String text, String why) {
    assertThatThrownBy(() -> IpAddress.parse(text))
        .isInstanceOfSatisfying(
            IpFormatException.class,
            e -> {
              assertThat(e.reason()).contains(why);
              assertThat(e).hasMessage('"' + e.text() + "\" is not an IP address: " + e.reason());
            });
    assertThat(IpAddress.tryParse(text)).isEmpty();
  }

  @Test
  @DisplayName("The message of a refusal stays short and printable whatever the text")
  void refusalIsBounded() {
    assertThatThrownBy(() -> IpAddress.parse("\u001b[31m" + "9".repeat(10_000)))
        .hasMessageStartingWith("\"?[31m999")
        .message()
        .hasSizeLessThan(200);
  }

  @Test
  @DisplayName("A mapped address is IPv6 and never equals the IPv4 address it stands for")
  void mapped() {
    Ipv6Address mapped = (Ipv6Address) IpAddress.parse("::ffff:1.2.3.4");
    assertThat(mapped.family()).isEqualTo(IpFamily.IPV6);
    assertThat(mapped.isIpv4Mapped()).isTrue();
    assertThat(mapped).isNotEqualTo(Ipv4Address.of(1, 2, 3, 4));
    assertThat(((Ipv6Address) IpAddress.parse("::1.2.3.4")).isIpv4Mapped()).isFalse();
    assertThat(((Ipv6Address) IpAddress.parse("1::ffff:1.2.3.4")).isIpv4Mapped()).isFalse();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "::ffff:1.2.3.4, 1.2.3.4",
    "::ffff:255.255.255.255, 255.255.255.255",
    "::ffff:0.0.0.0, 0.0.0.0",
    "1.2.3.4, 1.2.3.4",
    "::1.2.3.4, ::102:304",
    "1::ffff:1.2.3.4, 1::ffff:102:304",
    "f00d::1, f00d::1",
  })
  @DisplayName("Unmapped, only a mapped address becomes the IPv4 address it stands for")
  void unmapped(String text, String expected) {
    assertThat(IpAddress.parse(text).unmapped()).hasToString(expected);
  }

  @Test
  @DisplayName("IPv4 sorts before IPv6, and each family by unsigned value")
  void order() {
    List<IpAddress> ascending =
        List.of(
            IpAddress.parse("0.0.0.0"),
            IpAddress.parse("127.255.255.255"),
            IpAddress.parse("128.0.0.0"),
            IpAddress.parse("255.255.255.255"),
            IpAddress.parse("::"),
            IpAddress.parse("::7fff:ffff:ffff:ffff"),
            IpAddress.parse("::8000:0:0:0"),
            IpAddress.parse("7fff::"),
            IpAddress.parse("8000::"),
            IpAddress.parse("ffff::"));
    List<IpAddress> sorted = new ArrayList<>(ascending);
    Collections.reverse(sorted);
    sorted.sort(null);
    assertThat(sorted).isEqualTo(ascending);
  }

  @DisplayName("Adding past either end of the space is refused")
  @ParameterizedTest(name = "{0} plus {1}")
  @CsvSource({
    "255.255.255.255, 1",
    "0.0.0.0, -1",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 1",
    "::1, -9223372036854775808"
  })
  void overflow(String from, long offset) {
    assertThatThrownBy(() -> IpAddress.parse(from).plus(offset))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining(from)
        .hasMessageContaining("leaves the IPv");
  }

  @Test
  @DisplayName("A distance across families or beyond a long is refused")
  void distance() {
    IpAddress v4 = IpAddress.parse("10.0.0.1");
    IpAddress v6 = IpAddress.parse("::1");
    assertThatThrownBy(() -> v4.offsetFrom(v6)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> v6.offsetFrom(v4)).isInstanceOf(IllegalArgumentException.class);
    IpAddress far = IpAddress.parse("::8000:0:0:1");
    assertThatThrownBy(() -> far.offsetFrom(v6)).isInstanceOf(ArithmeticException.class);
    assertThat(v6.offsetFrom(far)).isEqualTo(Long.MIN_VALUE);
    IpAddress top = IpAddress.parse("ffff::");
    assertThatThrownBy(() -> top.offsetFrom(v6)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> v6.offsetFrom(top)).isInstanceOf(ArithmeticException.class);
  }

  @Test
  @DisplayName("Octets out of range are refused")
  void factories() {
    assertThat(Ipv4Address.of(192, 0, 2, 255)).hasToString("192.0.2.255");
    assertThat(Ipv4Address.of(1, 2, 3, 4).bits()).isEqualTo(0x01020304);
    assertThatThrownBy(() -> Ipv4Address.of(1, 2, 3, 256)).hasMessageContaining("octet is 256");
    assertThatThrownBy(() -> Ipv4Address.of(-1, 2, 3, 4)).hasMessageContaining("octet is -1");
  }
}
