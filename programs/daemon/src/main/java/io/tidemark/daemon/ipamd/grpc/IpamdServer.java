package io.tidemark.daemon.ipamd.grpc;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.tidemark.daemon.SocketFile;
import io.tidemark.daemon.ipamd.CniBackend;
import io.tidemark.metrics.Meters;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.WorkerPool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the plugin of the VPC CNI by gRPC, on a Unix socket, a port of the loopback interface, or
 * both. Two threads read, decide and write for all clients; nothing that they call blocks. Started
 * and closed by one thread.
 */
public final class IpamdServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IpamdServer.class);
  private static final int THREADS = 2;

  /** Above the limit of a request, which is refused with words rather than cut off. */
  private static final int MESSAGE_BYTES_MAX = 2 * RpcCodec.BYTES_MAX;

  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);
  private static final Duration LONGEST_IDLE = Duration.ofMinutes(5);

  private final Listening listening;
  private final RpcServices services;
  private final WorkerPool threads = new WorkerPool("ipamd", THREADS, THREADS);
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(THREADS, threads, NioIoHandler.newFactory());
  private final List<Server> servers = new ArrayList<>();
  private boolean ownsSocket;
  private OptionalInt port = OptionalInt.empty();

  private IpamdServer(Listening listening, RpcServices services) {
    this.listening = listening;
    this.services = services;
  }

  /**
   * Serves from now on. Blocks on the file system.
   *
   * @param scheduler where calls end whose request does not arrive
   * @param meters where calls count
   * @throws io.tidemark.error.IpamException with {@code SOCKET_REFUSED}
   */
  public static IpamdServer start(
      Listening listening, CniBackend backend, TaskScheduler scheduler, Meters meters) {
    IpamdServer server = new IpamdServer(listening, new RpcServices(backend, scheduler, meters));
    boolean started = false;
    try {
      server.listen();
      started = true;
      return server;
    } finally {
      if (!started) {
        server.close();
      }
    }
  }

  private void listen() {
    if (listening.port().isPresent()) {
      SocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.port().getAsInt());
      Server server = server(address, NioServerSocketChannel.class);
      try {
        server.start();
      } catch (IOException e) {
        throw SocketFile.unusable(address, e);
      }
      servers.add(server);
      port = OptionalInt.of(server.getPort());
    }
    if (listening.socket().isPresent()) {
      Path path = listening.socket().get();
      Server server = server(SocketFile.claim(path), NioServerDomainSocketChannel.class);
      try {
        server.start();
        servers.add(server);
        ownsSocket = true;
        SocketFile.restrict(path);
      } catch (IOException e) {
        throw SocketFile.unusable(path, e);
      }
    }
  }

  private Server server(SocketAddress address, Class<? extends ServerChannel> type) {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address)
            .channelType(type)
            .bossEventLoopGroup(loops)
            .workerEventLoopGroup(loops)
            .directExecutor()
            .maxInboundMessageSize(MESSAGE_BYTES_MAX)
            .maxConcurrentCallsPerConnection(RpcServices.CALLS_MAX)
            .maxConnectionIdle(LONGEST_IDLE.toSeconds(), TimeUnit.SECONDS);
    services.all().forEach(builder::addService);
    return builder.build();
  }

  /** Whether it answers calls; else it has ended. */
  public boolean isServing() {
    return servers.stream().noneMatch(Server::isShutdown);
  }

  /** The port that it listens on. */
  public OptionalInt port() {
    return port;
  }

  /** Ends all calls and removes the socket. Waits shortly for its threads. Idempotent. */
  @Override
  public void close() {
    servers.forEach(Server::shutdownNow);
    try {
      for (Server each : servers) {
        if (!each.awaitTermination(LONGEST_CLOSE.toSeconds(), TimeUnit.SECONDS)) {
          LOG.warn("Calls of the plugin do not end");
        }
      }
      boolean ended =
          loops
              .shutdownGracefully(0, LONGEST_CLOSE.toSeconds(), TimeUnit.SECONDS)
              .await(LONGEST_CLOSE.toSeconds(), TimeUnit.SECONDS);
      if (!ended) {
        LOG.warn("The threads that serve the plugin do not end");
      }
      if (ownsSocket) {
        ownsSocket = false;
        Files.deleteIfExists(listening.socket().orElseThrow());
      }
    } catch (IOException e) {
      LOG.warn("The socket {} stays behind", listening.socket(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      threads.close();
    }
  }
}
