package io.tidemark.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A client of the agent's socket in the place of the plugin; every call blocks. */
public final class PluginClient implements AutoCloseable {
  private final SocketChannel channel;

  /** Connects. */
  PluginClient(Path socket) throws IOException {
    channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
  }

  /** Sends a whole request; the status of the response, a blank, and what the plugin prints. */
  public static String ask(Path socket, String request) throws IOException {
    try (PluginClient client = new PluginClient(socket)) {
      client.send(request);
      return client.answer();
    }
  }

  void send(String request) throws IOException {
    byte[] body = request.getBytes(UTF_8);
    String head =
        "POST / HTTP/1.1\r\nHost: agent\r\nConnection: close\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    channel.write(UTF_8.encode(head));
    ByteBuffer left = ByteBuffer.wrap(body);
    while (left.hasRemaining()) {
      channel.write(left);
    }
  }

  String answer() throws IOException {
    String answer = new String(Channels.newInputStream(channel).readAllBytes(), UTF_8);
    int end = answer.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new IOException("no response: " + answer);
    }
    return answer.split(" ", 3)[1] + " " + answer.substring(end + 4);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
