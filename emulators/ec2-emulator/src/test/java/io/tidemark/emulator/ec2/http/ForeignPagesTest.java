package io.tidemark.emulator.ec2.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.World;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The admin path and the page answer the emulator's own pages and this machine alone")
class ForeignPagesTest {
  @Test
  @DisplayName("a foreign Host or Origin gets 403 and changes nothing")
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
