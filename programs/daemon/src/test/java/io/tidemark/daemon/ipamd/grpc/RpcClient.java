package io.tidemark.daemon.ipamd.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.stub.ClientCalls;
import io.tidemark.testing.Hang;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
    return ClientCalls.blockingUnaryCall(channel, descriptor(method), options(), request);
  }

  public Future<byte[]> start(String method, byte[] request) {
    return ClientCalls.futureUnaryCall(open(method), request);
  }

  /** A call without a request yet. */
  public ClientCall<byte[], byte[]> open(String method) {
    return channel.newCall(descriptor(method), options());
  }

  private static CallOptions options() {
    return CallOptions.DEFAULT.withDeadlineAfter(Hang.SECONDS, TimeUnit.SECONDS);
  }

  private static MethodDescriptor<byte[], byte[]> descriptor(String method) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodType.UNARY)
        .setFullMethodName(method)
        .setRequestMarshaller(new Bytes())
        .setResponseMarshaller(new Bytes())
        .build();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
