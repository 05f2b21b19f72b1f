package io.tidemark.emulator.ec2.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.World;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The gate before the admin path and the page")
class GateTest {
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
        Gate.refusal(
            InetAddress.getByName(remote), Optional.ofNullable(host), Optional.ofNullable(origin));
    if (refusal.isEmpty()) {
      assertThat(refused).isEmpty();
    } else {
      assertThat(refused.orElseThrow()).contains(refusal);
    }
  }

  @Test
  @DisplayName("is on the wire: a foreign Host or Origin gets 403 and changes nothing")
  void wire() throws IOException {
    try (Ec2Emulator.Listening listening = Ec2Emulator.listen(0, World.options())) {
      URI at = listening.endpoint();
      String own = "127.0.0.1:" + at.getPort();
      String form = "principal=x&actions=*";
      assertThat(send(at, "POST /_tidemark/deny", "Host: attacker.example", form))
          .contains(" 403 ");
      assertThat(
              send(
                  at,
                  "POST /_tidemark/deny",
                  "Host: " + own + "\r\nOrigin: http://attacker.example",
                  form))
          .contains(" 403 ");
      assertThat(send(at, "GET /", "Host: attacker.example", "")).contains(" 403 ");
      assertThat(listening.emulator().handler().<Integer>use(world -> world.denials().all().size()))
          .isZero();
      assertThat(send(at, "POST /_tidemark/deny", "Host: " + own, form)).contains(" 200 ");
      assertThat(listening.emulator().handler().<Integer>use(world -> world.denials().all().size()))
          .isEqualTo(1);
    }
  }

  /** Clients of the JDK write the Host header by themselves, so this one is written by hand. */
  private static String send(URI at, String request, String headers, String body)
      throws IOException {
    try (Socket socket = new Socket(at.getHost(), at.getPort())) {
      String text =
          request
              + " HTTP/1.1\r\n"
              + headers
              + "\r\nConnection: close\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n"
              + body;
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
