package io.tidemark.kubernetes.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A line to an API server that ends connections of watches as real networks do, each right behind
 * something that the server sent. The bytes are not changed. A watch is a WebSocket: its connection
 * asks for one in clear, and does not offer HTTP/2 where the words are encrypted.
 */
public final class CutLine implements AutoCloseable {
  private static final int CHUNK = 16 * 1024;

  /** More than the answer to a ping. */
  private static final int CONTROL = 64;

  private static final byte TLS_HANDSHAKE = 22;
  private static final byte[] OFFERS_HTTP_2 = {2, 'h', '2'};

  private final ServerSocket listening;
  private final int target;
  private final ExecutorService pumps = Executors.newCachedThreadPool();
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Cut> next = new AtomicReference<>();
  private final AtomicInteger cuts = new AtomicInteger();
  private final AtomicInteger watches = new AtomicInteger();
  private final AtomicInteger answers = new AtomicInteger();

  /** How a connection ends. */
  public enum Cut {
    /** Both ends are closed, with nothing said about it. */
    CLOSE,
    /** The server says no more, and still listens. */
    HALF_CLOSE,
    /** The connection is reset. */
    RESET,
    /** The connection stays open, and nothing goes through any more. */
    SILENCE
  }

  private CutLine(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  /** A line to the port of an API server on loopback. */
  public static CutLine to(int port) throws IOException {
    CutLine line = new CutLine(port);
    line.pumps.execute(line::accept);
    return line;
  }

  /** Where it listens, on loopback. */
  public int port() {
    return listening.getLocalPort();
  }

  /** Ends the connection of a watch so, once, behind the next words of the server on one. */
  public void cutNext(Cut how) {
    next.set(how);
  }

  /** From now on nothing goes through the connections that are open, of watches or not. */
  public void silenceAll() {
    open.forEach(each -> each.silent = true);
  }

  /** Ends every connection that is open. */
  public void closeAll() {
    open.forEach(Connection::close);
  }

  /** Connections of watches that were cut. */
  public int cuts() {
    return cuts.get();
  }

  /** Answers to pings that came through on watches. */
  public int answers() {
    return answers.get();
  }

  /** Watches that were asked for. */
  public int watches() {
    return watches.get();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        pumps.execute(() -> connect(client));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void connect(Socket client) {
    try {
      Connection connection =
          new Connection(client, new Socket(InetAddress.getLoopbackAddress(), target));
      open.add(connection);
      pumps.execute(() -> fromServer(connection));
      fromClient(connection);
    } catch (IOException e) {
      close(client);
    }
  }

  /** Whether a watch begins with these bytes, on a connection that may have had requests before. */
  private static boolean isWatch(byte[] sent) {
    return sent[0] == TLS_HANDSHAKE
        ? !contains(sent, OFFERS_HTTP_2)
        : text(sent).toLowerCase(Locale.ROOT).contains("upgrade: websocket");
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private void fromClient(Connection connection) {
    try {
      byte[] chunk = chunk(connection.client.getInputStream());
      while (chunk.length > 0) {
        if (!connection.watch && isWatch(chunk)) {
          connection.watch = true;
          watches.incrementAndGet();
        }
        if (!connection.silent) {
          connection.server.getOutputStream().write(chunk);
        }
        chunk = chunk(connection.client.getInputStream());
      }
    } catch (IOException e) {
      // one end, or this line, is closed
    }
    connection.close();
    open.remove(connection);
  }

  private void fromServer(Connection connection) {
    try {
      byte[] chunk = chunk(connection.server.getInputStream());
      boolean first = true;
      while (chunk.length > 0) {
        if (!connection.silent) {
          connection.client.getOutputStream().write(chunk);
        }
        boolean words = connection.watch && !first && !text(chunk).startsWith("HTTP/");
        Cut cut = words && chunk.length > CONTROL ? next.getAndSet(null) : null;
        if (cut != null) {
          cuts.incrementAndGet();
          connection.end(cut);
          if (cut == Cut.HALF_CLOSE || cut == Cut.SILENCE) {
            connection.silent = true;
          }
        }
        if (words && chunk.length <= CONTROL) {
          answers.incrementAndGet();
        }
        first = false;
        chunk = chunk(connection.server.getInputStream());
      }
    } catch (IOException e) {
      // one end, or this line, is closed
    }
    if (!connection.silent) {
      connection.close();
    }
  }

  private static byte[] chunk(InputStream in) throws IOException {
    byte[] buffer = new byte[CHUNK];
    int length = in.read(buffer);
    return Arrays.copyOf(buffer, Math.max(0, length));
  }

  private static boolean contains(byte[] bytes, byte[] wanted) {
    for (int i = 0; i + wanted.length <= bytes.length; i++) {
      if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
        return true;
      }
    }
    return false;
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    closeAll();
    pumps.shutdownNow();
  }

  private static final class Connection {
    private final Socket client;
    private final Socket server;
    private volatile boolean watch;
    private volatile boolean silent;

    Connection(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void end(Cut how) throws IOException {
      switch (how) {
        case CLOSE -> close();
        case HALF_CLOSE -> client.shutdownOutput();
        case RESET -> {
          client.setSoLinger(true, 0);
          close();
        }
        case SILENCE -> {}
      }
    }

    void close() {
      CutLine.close(client);
      CutLine.close(server);
    }
  }
}
