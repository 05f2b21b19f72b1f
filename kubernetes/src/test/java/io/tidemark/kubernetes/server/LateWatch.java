package io.tidemark.kubernetes.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A line to an API server on which answers to watches come late, and everything else at once. The
 * bytes are not looked into: a watch is a WebSocket, which cannot be asked for over HTTP/2, so that
 * its connection is the one whose first words, which are in clear, do not offer that protocol.
 */
public final class LateWatch implements AutoCloseable {
  private static final byte[] OFFERS_HTTP_2 = {2, 'h', '2'};
  private static final int CHUNK = 16 * 1024;

  private final ServerSocket listening;
  private final int target;
  private final ExecutorService pumps = Executors.newCachedThreadPool();
  private final ScheduledExecutorService late = Executors.newSingleThreadScheduledExecutor();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger watches = new AtomicInteger();
  private volatile Duration lag = Duration.ZERO;

  private LateWatch(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  /** A line to the port of an API server on loopback. */
  public static LateWatch to(int port) throws IOException {
    LateWatch line = new LateWatch(port);
    line.pumps.execute(line::accept);
    return line;
  }

  /** Where it listens, on loopback. */
  public int port() {
    return listening.getLocalPort();
  }

  /** From now on each answer to a watch comes so much later. */
  public void lag(Duration time) {
    lag = time;
  }

  /** Watches that went over this line. */
  public int watches() {
    return watches.get();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        open.add(client);
        pumps.execute(() -> connect(client));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void connect(Socket client) {
    try {
      byte[] first = chunk(client.getInputStream());
      boolean watch = !contains(first, OFFERS_HTTP_2);
      if (watch) {
        watches.incrementAndGet();
      }
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      open.add(server);
      server.getOutputStream().write(first);
      pumps.execute(() -> pump(server, client, watch));
      pump(client, server, false);
    } catch (IOException e) {
      close(client);
    }
  }

  private void pump(Socket from, Socket to, boolean slow) {
    try {
      byte[] chunk = chunk(from.getInputStream());
      while (chunk.length > 0) {
        byte[] bytes = chunk;
        if (slow) {
          Object unused =
              late.schedule(() -> write(to, bytes), lag.toMillis(), TimeUnit.MILLISECONDS);
        } else {
          to.getOutputStream().write(bytes);
        }
        chunk = chunk(from.getInputStream());
      }
    } catch (IOException | RejectedExecutionException e) {
      // one end, or this line, is closed
    }
    close(from);
    close(to);
  }

  private static void write(Socket to, byte[] bytes) {
    try {
      OutputStream out = to.getOutputStream();
      out.write(bytes);
    } catch (IOException e) {
      close(to);
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
    open.forEach(LateWatch::close);
    pumps.shutdownNow();
    late.shutdownNow();
  }
}
