package io.tidemark.emulator.kit.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The gate before the admin path and the page")
class LocalPagesTest {
  @DisplayName("lets in programs of this machine and pages of the emulator, nobody else")
  @ParameterizedTest(name = "from {0}, Host {1}, Origin {2}: {3}")
  @CsvSource({
    "127.0.0.1, localhost:4566, , ''",
    "127.0.0.1, 127.0.0.1:4566, , ''",
    "127.0.0.1, 127.0.0.1, , ''",
    "::1, [::1]:4566, , ''",
    "127.0.0.1, localhost:4566, http://localhost:4566, ''",
    "192.0.2.7, localhost:4566, , its own machine",
    "2001:db8::7, localhost:4566, , its own machine",
    "127.0.0.1, , , Host header",
    "127.0.0.1, attacker.example:4566, , Host header",
    "127.0.0.1, localhost.attacker.example, , Host header",
    "127.0.0.1, 127.0.0.1.attacker.example, , Host header",
    "127.0.0.1, 192.0.2.7:4566, , Host header",
    "127.0.0.1, localhost:4566, http://attacker.example, another origin",
    "127.0.0.1, localhost:4566, http://localhost:8080, another origin",
    "127.0.0.1, localhost:4566, https://localhost:4566, another origin",
    "127.0.0.1, localhost:4566, null, another origin"
  })
  void gate(String remote, String host, String origin, String refusal) throws UnknownHostException {
    Optional<String> refused =
        LocalPages.refusal(
            InetAddress.getByName(remote), Optional.ofNullable(host), Optional.ofNullable(origin));
    if (refusal.isEmpty()) {
      assertThat(refused).isEmpty();
    } else {
      assertThat(refused.orElseThrow()).contains(refusal);
    }
  }
}
