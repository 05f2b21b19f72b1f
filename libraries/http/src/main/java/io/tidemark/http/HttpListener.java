package io.tidemark.http;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channel;
import java.nio.file.Path;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/1.1 server on one address, or on a Unix socket. It reads requests and writes responses
 * without a thread that waits for the client; a {@link HttpHandler} sees complete requests only.
 * {@link HttpLimits} limits its clients. Thread-safe.
 */
public final class HttpListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

  private static final int THREADS_MAX = 8;
  private static final int THREADS_MIN = 2;
  private static final int ACCEPTORS = 1;
  private static final int SELECTORS = 1;
  private static final int BACKLOG = 128;

  /** At the limit of connections: idle ones are closed after it, so that new ones are accepted. */
  private static final long FULL_IDLE_MILLIS = 250;

  private static final long STOPPING_IDLE_MILLIS = 50;
  private static final int NO_LIMIT = -1;

  private final Server server;
  private final AbstractConnector connector;

  private HttpListener(Server server, AbstractConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  /**
   * Listens from now on.
   *
   * @param name of its threads; lower case
   * @param address of the network, where port 0 takes any free one; or of a Unix socket, whose file
   *     does not exist yet and is removed at the end
   * @throws BindException when the port is taken or the address is not one of this machine
   * @throws IOException when it cannot listen for another reason
   */
  public static HttpListener start(
      String name, SocketAddress address, HttpLimits limits, HttpHandler handler)
      throws IOException {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS_MAX, THREADS_MIN);
    threads.setName(name);
    threads.setDaemon(true);
    threads.setReservedThreads(0);
    Server server =
        new Server(threads, new ScheduledExecutorScheduler(name + "-timer", true), null);
    AbstractConnector connector =
        address instanceof UnixDomainSocketAddress socket
            ? onSocket(server, socket.getPath(), limits)
            : onNetwork(server, (InetSocketAddress) address, limits);
    connector.setIdleTimeout(limits.idle().toMillis());
    connector.setShutdownIdleTimeout(STOPPING_IDLE_MILLIS);
    connector.addBean(Deadline.onConnections(server.getScheduler(), limits));
    connector.addBean(givingWay(connector));
    server.addConnector(connector);
    NetworkConnectionLimit connections =
        new NetworkConnectionLimit(limits.connections(), connector);
    connections.setEndPointIdleTimeout(FULL_IDLE_MILLIS);
    server.addBean(connections);
    SizeLimitHandler bodies = new SizeLimitHandler(limits.bodyBytes(), NO_LIMIT);
    bodies.setHandler(new CompleteRequests(handler));
    server.setHandler(bodies);
    server.setErrorHandler(new PlainErrors());
    server.setStopTimeout(limits.drain().toMillis());
    HttpListener listener = new HttpListener(server, connector);
    listener.open();
    return listener;
  }

  /** At the limit Jetty shortens the idle time of open connections, but not of those opening. */
  private static Connection.Listener givingWay(AbstractConnector connector) {
    return new Connection.Listener() {
      @Override
      public void onOpened(Connection connection) {
        if (!connector.isAccepting()) {
          connection.getEndPoint().setIdleTimeout(FULL_IDLE_MILLIS);
        }
      }
    };
  }

  private static AbstractConnector onNetwork(
      Server server, InetSocketAddress address, HttpLimits limits) {
    ServerConnector connector = new ServerConnector(server, ACCEPTORS, SELECTORS, protocol(limits));
    connector.setHost(address.getAddress().getHostAddress());
    connector.setPort(address.getPort());
    connector.setAcceptQueueSize(BACKLOG);
    return connector;
  }

  private static AbstractConnector onSocket(Server server, Path socket, HttpLimits limits) {
    UnixDomainServerConnector connector =
        new UnixDomainServerConnector(server, ACCEPTORS, SELECTORS, protocol(limits));
    connector.setUnixDomainPath(socket);
    connector.setAcceptQueueSize(BACKLOG);
    return connector;
  }

  private static HttpConnectionFactory protocol(HttpLimits limits) {
    HttpConfiguration http = new HttpConfiguration();
    http.setRequestHeaderSize(limits.headBytes());
    http.setSendServerVersion(false);
    return new HttpConnectionFactory(http);
  }

  private void open() throws IOException {
    try {
      if (connector instanceof ServerConnector network) {
        network.open();
      }
      server.start();
    } catch (IOException e) {
      close();
      if (e.getCause() instanceof BindException taken) {
        throw taken;
      }
      throw e;
    } catch (Exception e) {
      close();
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Whether clients are accepted; false after the end, for whatever reason. */
  public boolean isServing() {
    return server.isRunning()
        && connector.getTransport() instanceof Channel listening
        && listening.isOpen();
  }

  /** The port that is listened on; -1 on a Unix socket. */
  public int port() {
    return connector instanceof ServerConnector network ? network.getLocalPort() : -1;
  }

  /**
   * Where clients on this machine reach it, for an address that is not the wildcard.
   *
   * @throws IllegalStateException on a Unix socket
   */
  public URI endpoint() {
    if (connector instanceof ServerConnector network) {
      String host = network.getHost();
      String authority = host.contains(":") ? "[" + host + "]" : host;
      return URI.create("http://" + authority + ":" + port());
    }
    throw new IllegalStateException("a Unix socket has no URI");
  }

  /** Stops listening, lets responses finish for {@link HttpLimits#drain}, closes the others. */
  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      LOG.debug("The HTTP server did not stop cleanly", e);
    } finally {
      if (connector instanceof ServerConnector network) {
        network.close();
      }
    }
  }
}
