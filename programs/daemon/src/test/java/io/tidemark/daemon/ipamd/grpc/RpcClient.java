package io.tidemark.daemon.ipamd.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.stub.ClientCalls;
import io.tidemark.testing.Hang;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A gRPC client of one connection whose messages are bytes. */
public final class RpcClient implements AutoCloseable {
  public static final String ADD = "rpc.CNIBackend/AddNetwork";
  public static final String DEL = "rpc.CNIBackend/DelNetwork";
  public static final String CONFIGS = "rpc.ConfigServerBackend/GetNetworkPolicyConfigs";
  public static final String HEALTH = "grpc.health.v1.Health/Check";

  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ManagedChannel channel;

  private RpcClient(NettyChannelBuilder builder) {
    this.channel = builder.eventLoopGroup(loop).usePlaintext().build();
  }

  public static RpcClient of(Path socket) {
    return new RpcClient(
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            .overrideAuthority("localhost"));
  }

  public static RpcClient of(int port) {
    return new RpcClient(
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .channelType(
                io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel.class,
                java.net.InetSocketAddress.class));
  }

  /**
   * A reply.
   *
   * @throws StatusRuntimeException when the call failed
   */
  public byte[] call(String method, byte[] request) {
    return ClientCalls.blockingUnaryCall(channel, RpcServices.method(method), options(), request);
  }

  public Future<byte[]> start(String method, byte[] request) {
    return ClientCalls.futureUnaryCall(open(method), request);
  }

  /** A call without a request yet. */
  public ClientCall<byte[], byte[]> open(String method) {
    return channel.newCall(RpcServices.method(method), options());
  }

  private static CallOptions options() {
    return CallOptions.DEFAULT.withDeadlineAfter(Hang.SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
