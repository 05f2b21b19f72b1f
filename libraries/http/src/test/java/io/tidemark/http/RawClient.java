package io.tidemark.http;

import io.tidemark.testing.Hang;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client that sends exactly the bytes it is told; every wait of it is bounded. */
public final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = (int) Hang.LIMIT.toMillis();
  private static final int SMALL_BUFFER_BYTES = 4096;

  private final Socket socket;

  private RawClient(Socket socket) {
    this.socket = socket;
  }

  /** Connects from 127.0.0.1. */
  public static RawClient connect(int port) throws IOException {
    return connect("127.0.0.1", port);
  }

  /** Connects from this address of the loopback network, each of which is another peer. */
  public static RawClient connect(String from, int port) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(SMALL_BUFFER_BYTES);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return new RawClient(socket);
  }

  /** So many clients that have each sent {@code begun} and wait. */
  public static List<RawClient> slow(String from, int port, int count, String begun)
      throws IOException {
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RawClient client = connect(from, port);
      clients.add(client);
      client.sendIfOpen(begun);
    }
    return clients;
  }

  /**
   * Sends a request and returns the whole answer; the connection is closed then. A server may
   * answer and close before it has taken the whole request.
   */
  public static String ask(String from, int port, String request) throws IOException {
    try (RawClient client = connect(from, port)) {
      client.sendIfOpen(request);
      return client.readWhatComes();
    }
  }

  /** The head of a GET after whose answer the connection closes. */
  public static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  }

  public void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  /** As {@link #send}, for a connection that the server may have closed. */
  public void sendIfOpen(String text) throws IOException {
    try {
      send(text);
    } catch (SocketException closed) {
      // The end that a refused client sees.
    }
  }

  /** All that comes until the server closes the connection. */
  public String readToEnd() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /** As {@link #readToEnd}, for a connection that the server may reset. */
  private String readWhatComes() throws IOException {
    ByteArrayOutputStream came = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(came);
    } catch (SocketException reset) {
      // The bytes before it count.
    }
    return came.toString(StandardCharsets.ISO_8859_1);
  }

  /** The head of the next answer, with its empty line. */
  public String readHead() throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new IOException("closed after: " + head.toString(StandardCharsets.ISO_8859_1));
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  /** Waits for the server to close the connection. */
  public boolean isClosed() throws IOException {
    return isClosedWithin(PATIENCE_MILLIS);
  }

  /** Waits so long for the server to close the connection. */
  public boolean isClosedWithin(int millis) throws IOException {
    socket.setSoTimeout(millis);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (SocketException reset) {
      return true;
    } finally {
      socket.setSoTimeout(PATIENCE_MILLIS);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** Closes them all. */
  public static void close(List<RawClient> clients) throws IOException {
    for (RawClient client : clients) {
      client.close();
    }
  }
}
