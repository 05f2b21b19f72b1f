package io.tidemark.daemon.socket;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A client of a Unix socket, as the plugin is one; every call blocks. */
public final class RawClient implements AutoCloseable {
  private final SocketChannel channel;

  /** Connects. */
  public RawClient(Path socket) throws IOException {
    channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
  }

  /** Sends a whole request and reads the answer. */
  public static String ask(Path socket, String request) throws IOException {
    try (RawClient client = new RawClient(socket)) {
      client.send(request.getBytes(UTF_8));
      client.end();
      return client.answer();
    }
  }

  void send(byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  void end() throws IOException {
    channel.shutdownOutput();
  }

  /** All that comes until the other side ends, by whatever means. */
  String answer() throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(8192);
    try {
      while (channel.read(buffer) >= 0) {
        answer.write(buffer.array(), 0, buffer.position());
        buffer.clear();
      }
    } catch (IOException e) {
      if (answer.size() == 0) {
        throw e;
      }
    }
    return answer.toString(UTF_8);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
