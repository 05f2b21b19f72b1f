package io.tidemark.ip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InterfaceAddressTest {
  @DisplayName("An address of an interface keeps its host bits and knows its subnet")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "192.168.16.5/24, 192.168.16.5, 192.168.16.0/24",
    "10.0.0.0/8, 10.0.0.0, 10.0.0.0/8",
    "10.1.2.3/32, 10.1.2.3, 10.1.2.3/32",
    "10.1.2.3/0, 10.1.2.3, 0.0.0.0/0",
    "fe20:f00d::5/120, fe20:f00d::5, fe20:f00d::/120",
    "2001:db8::1/64, 2001:db8::1, 2001:db8::/64"
  })
  void parts(String text, String address, String network) {
    InterfaceAddress read = InterfaceAddress.parse(text);
    assertThat(read).hasToString(text);
    assertThat(read.address()).hasToString(address);
    assertThat(read.network()).hasToString(network);
    assertThat(InterfaceAddress.tryParse(text)).contains(read);
    assertThat(new InterfaceAddress(read.address(), read.prefixLength())).isEqualTo(read);
  }

  @DisplayName("Text that is none is refused with the reason")
  @ParameterizedTest(name = "\"{0}\": {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          "1.2.3./19"     | in the address, an octet is missing
          "10.0.0.1/024"  | without leading zeros
          """)
  void refused(String text, String reason) {
    assertThatThrownBy(() -> InterfaceAddress.parse(text))
        .isInstanceOf(IpFormatException.class)
        .hasMessageContaining("is not an address with prefix length")
        .hasMessageContaining(reason);
    assertThat(InterfaceAddress.tryParse(text)).isEmpty();
  }

  @Test
  @DisplayName("A prefix length of the other family is refused")
  void length() {
    assertThatThrownBy(() -> new InterfaceAddress(IpAddress.parse("10.0.0.1"), 64))
        .hasMessage("prefix length is 64; expected 0 to 32 for IPv4");
  }
}
