package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An address to listen on")
class ListenAddressTest {
  @ParameterizedTest(name = "{0} is {1}, port {2}")
  @CsvSource({
    "127.0.0.1:61679, 127.0.0.1, 61679",
    "localhost:0, 127.0.0.1, 0",
    "[::1]:65535, 0:0:0:0:0:0:0:1, 65535",
  })
  @DisplayName("An address and a port are read without asking a name server")
  void read(String text, String address, int port) {
    assertThat(ListenAddress.parseWithPort(text))
        .hasValueSatisfying(
            it -> {
              assertThat(it.getAddress().getHostAddress()).isEqualTo(address);
              assertThat(it.getPort()).isEqualTo(port);
            });
  }

  @ParameterizedTest(name = "''{0}'' is every address")
  @ValueSource(strings = {":61678", "0.0.0.0:61678", "[::]:61678"})
  @DisplayName("Without an address it is every one")
  void everyOne(String text) {
    assertThat(ListenAddress.parseWithPort(text))
        .hasValueSatisfying(it -> assertThat(it.getAddress().isAnyLocalAddress()).isTrue());
  }

  @ParameterizedTest(name = "''{0}'' is none")
  @ValueSource(
      strings = {
        "",
        "127.0.0.1",
        "example.com:80",
        "nowhere:1",
        "127.0.0.1:65536",
        "1.2.3.4.5:1",
        "999.0.0.1:1",
        "::1:80",
        "[::1]",
        "[]:1",
        "unix:/run/x.sock"
      })
  @DisplayName("Anything else is none")
  void none(String text) {
    assertThat(ListenAddress.parseWithPort(text)).isEmpty();
  }
}
