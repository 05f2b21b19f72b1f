package io.tidemark.daemon.ipamd.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.tidemark.daemon.ipamd.CniBackend;
import io.tidemark.daemon.ipamd.PodReply;
import io.tidemark.daemon.ipamd.PodRequest;
import io.tidemark.daemon.ipamd.RpcOutcome;
import io.tidemark.daemon.ipamd.RpcOutcome.Cause;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** The services that programs of the VPC CNI call, by their names. */
final class RpcServices {
  /** Calls of all clients and methods at once. */
  static final int CALLS_MAX = 256;

  /** The words that plugins use; any other text could be without bound. */
  private static final Set<String> REASONS = Set.of("PodDeleted", "SetupNSFailed");

  private static final Set<String> HEALTH_NAMES = Set.of("", "grpc.health.v1.aws-node");

  private final CniBackend backend;
  private final TaskScheduler scheduler;
  private final Meters meters;
  private final Semaphore places = new Semaphore(CALLS_MAX);

  RpcServices(CniBackend backend, TaskScheduler scheduler, Meters meters) {
    this.backend = backend;
    this.scheduler = scheduler;
    this.meters = meters;
  }

  List<ServerServiceDefinition> all() {
    return List.of(
        service("rpc.CNIBackend", Map.of("AddNetwork", this::add, "DelNetwork", this::del)),
        service("rpc.ConfigServerBackend", Map.of("GetNetworkPolicyConfigs", this::facts)),
        service("grpc.health.v1.Health", Map.of("Check", this::health)));
  }

  private ServerServiceDefinition service(String name, Map<String, UnaryHandler.Work> methods) {
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(name);
    methods.forEach(
        (method, work) ->
            service.addMethod(
                method(MethodDescriptor.generateFullMethodName(name, method)),
                handler(method, work)));
    return service.build();
  }

  private CompletionStage<RpcOutcome<byte[]>> add(byte[] request) throws InvalidMessageException {
    PodRequest read = RpcCodec.addRequest(request);
    meters.gauge(Metric.RPC_ADD_REQUESTS).add(1);
    return backend
        .add(read)
        .thenApply(
            outcome -> encoded(outcome, reply -> RpcCodec.addReply(reply, backend.routing())));
  }

  private CompletionStage<RpcOutcome<byte[]>> del(byte[] request) throws InvalidMessageException {
    PodRequest read = RpcCodec.delRequest(request);
    String reason = RpcCodec.reason(request);
    meters.gauge(Metric.RPC_DEL_REQUESTS, REASONS.contains(reason) ? reason : "other").add(1);
    return backend.del(read).thenApply(outcome -> encoded(outcome, RpcCodec::delReply));
  }

  private CompletionStage<RpcOutcome<byte[]>> facts(byte[] request) throws InvalidMessageException {
    RpcCodec.emptyRequest(request);
    return replied(RpcCodec.facts(backend.node()));
  }

  private CompletionStage<RpcOutcome<byte[]>> health(byte[] request)
      throws InvalidMessageException {
    String service = RpcCodec.healthRequest(request);
    return HEALTH_NAMES.contains(service)
        ? replied(RpcCodec.health(backend.unhealthy().isEmpty()))
        : CompletableFuture.completedStage(
            new RpcOutcome.Failed<>(Cause.NOT_FOUND, "unknown service"));
  }

  private static CompletionStage<RpcOutcome<byte[]>> replied(byte[] reply) {
    return CompletableFuture.completedStage(new RpcOutcome.Replied<>(reply));
  }

  private static RpcOutcome<byte[]> encoded(
      RpcOutcome<PodReply> outcome, Function<PodReply, byte[]> encoder) {
    if (outcome instanceof RpcOutcome.Replied<PodReply> replied) {
      return new RpcOutcome.Replied<>(encoder.apply(replied.reply()));
    }
    RpcOutcome.Failed<PodReply> failed = (RpcOutcome.Failed<PodReply>) outcome;
    return new RpcOutcome.Failed<>(failed.cause(), failed.text());
  }

  private UnaryHandler handler(String name, UnaryHandler.Work work) {
    TimeSource time = scheduler.time();
    return new UnaryHandler(
        places,
        scheduler,
        (code, began) ->
            meters.record(Metric.RPC_DURATION, Duration.ofNanos(time.nanos() - began), name, code),
        work);
  }

  static MethodDescriptor<byte[], byte[]> method(String fullName) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodType.UNARY)
        .setFullMethodName(fullName)
        .setRequestMarshaller(new Bytes())
        .setResponseMarshaller(new Bytes())
        .build();
  }

  /** Messages as they are on the wire; {@link RpcCodec} reads and writes them. */
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
}
