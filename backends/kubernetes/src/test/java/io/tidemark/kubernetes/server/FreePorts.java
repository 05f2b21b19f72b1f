package io.tidemark.kubernetes.server;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports on loopback for servers that take no other than a given one. They lie below those that the
 * system gives to outgoing connections, which else might take one before its server does; no port
 * is given twice before all were.
 */
public final class FreePorts {
  private static final int LOWEST = 20_000;
  private static final int COUNT = 10_000;

  /** Each process begins elsewhere. */
  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 101 % COUNT));

  private FreePorts() {}

  public static int next() throws IOException {
    for (int i = 0; i < COUNT; i++) {
      int port = LOWEST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IOException("no port is free from " + LOWEST + " to " + (LOWEST + COUNT - 1));
  }

  private static boolean isFree(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (BindException e) {
      return false; // somebody listens there
    }
  }
}
