package io.tidemark.provider.mock;

import io.tidemark.provider.kit.AccountState;
import io.tidemark.provider.kit.pool.Ladder;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.step.FailureRules;
import io.tidemark.provider.kit.step.StaticAddressBinding;
import io.tidemark.provider.mock.cloud.CloudErrorCode;
import io.tidemark.provider.mock.cloud.CloudException;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.provider.mock.cloud.MockRequests;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The parts that all components of one account share, and its door to the cloud. Thread-safe. */
final class MockAccount {
  static final Ladder LADDER = new Ladder(false);

  /** The errors which say that the subnet, and not the interface or the instance, has no room. */
  static final FailureRules FAILURES =
      new FailureRules(
          Set.of(
              CloudErrorCode.INSUFFICIENT_FREE_ADDRESSES.wire(),
              CloudErrorCode.INSUFFICIENT_CIDR_BLOCKS.wire()));

  private static final String CLUSTER_TAG = "tidemark.io/cluster";
  private static final String TOKEN_TAG = "tidemark.io/token";
  private static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(10);
  private static final int ATTEMPTS = 3;
  private static final int SPECS_MAX = 10_000;

  final MockCloud cloud;
  final CloudCalls calls;
  final AccountState<MockInterface, MockSubnet> state;
  final String cluster;

  /** Empty where manifests change nothing in the cloud. */
  final Optional<ManifestAdoption> adoption;

  final StaticAddressBinding<MockInterface> binding;
  private final Map<CloudOperation, Duration> latencies;
  private final Map<EniSpec, EniSpec> specs = new ConcurrentHashMap<>();
  private volatile Map<PoolId, MockSubnet> networks = Map.of();

  MockAccount(
      MockCloud cloud,
      CloudCalls calls,
      AccountState<MockInterface, MockSubnet> state,
      String cluster,
      Optional<ManifestAdoption> adoption,
      Map<CloudOperation, Duration> latencies) {
    this.cloud = cloud;
    this.calls = calls;
    this.state = state;
    this.cluster = cluster;
    this.adoption = adoption;
    this.latencies = Map.copyOf(latencies);
    this.binding =
        new StaticAddressBinding<>(state, "public address", MockInterface::withPublicAddress);
  }

  /** Pacing by the cloud's buckets, and the meaning of its errors. */
  static CallPolicy policy(double bucketScale) {
    Map<CallKind, CallLimits> limits = new HashMap<>();
    for (CloudOperation each : CloudOperation.values()) {
      double rate = bucketScale == 0 ? 1e6 : each.refillPerSecond() * bucketScale;
      double burst = bucketScale == 0 ? 1e6 : Math.max(1, each.bucketSize() * bucketScale);
      limits.put(each.kind(), new CallLimits(rate, (int) burst, ATTEMPT_TIMEOUT, ATTEMPTS));
    }
    return new CallPolicy("mock", limits, MockAccount::classify);
  }

  /** Whatever is not an answer of the cloud is a lost answer. */
  static Failure classify(CallKind kind, Throwable thrown) {
    return thrown instanceof CloudException answer
        ? Failure.of(
            answer.code().meaning(),
            answer.code().wire(),
            answer.code().wire() + ": " + answer.getMessage())
        : Failure.of(
            Failure.Kind.LOST, "answerLost", kind + ": " + thrown.getClass().getSimpleName());
  }

  /** Sends one request; its answer is passed on after the configured latency. */
  <T> CompletionStage<CallResult<T>> send(
      CloudOperation operation, String subject, CallContext context, MockCloud.Request<T> request) {
    CompletionStage<CallResult<T>> stage =
        calls.call(
            operation.kind(), context, attempt -> cloud.request(operation, subject, request));
    Duration latency = latencies.getOrDefault(operation, Duration.ZERO);
    return latency.isZero() ? stage : stage.thenCompose(result -> later(result, latency, context));
  }

  private <T> CompletionStage<T> later(T result, Duration latency, CallContext context) {
    CompletableFuture<T> delayed = new CompletableFuture<>();
    long now = state.nanos();
    long at = Math.min(now + latency.toNanos(), Math.max(now, context.deadlineNanos()));
    state.scheduler().at(at, () -> delayed.complete(result));
    return delayed;
  }

  /** Reads the subnets; ends with why that failed, or empty. */
  CompletionStage<Optional<Failure>> readSubnets(CallContext context) {
    return send(CloudOperation.DESCRIBE_SUBNETS, "", context, MockRequests::subnets)
        .thenApply(
            result ->
                result.match(
                    rooms -> {
                      accept(rooms);
                      return Optional.empty();
                    },
                    Optional::of));
  }

  private void accept(List<MockSubnet.Room> rooms) {
    Map<PoolId, MockSubnet> read = new HashMap<>();
    rooms.forEach(each -> read.put(new PoolId(each.subnet().id()), each.subnet()));
    if (!read.equals(networks)) {
      networks = Map.copyOf(read);
    }
    state.pools().accept(rooms.stream().map(MockAccount::pool).toList());
  }

  private static Pool<MockSubnet> pool(MockSubnet.Room room) {
    MockSubnet subnet = room.subnet();
    OptionalInt blocks = OptionalInt.of(room.freeBlocks());
    return new Pool<>(
        new PoolId(subnet.id()),
        subnet.zone(),
        subnet,
        true,
        room.freeAddresses(),
        blocks,
        false,
        false);
  }

  /** The subnets as last read; the same object until they changed. */
  Map<PoolId, MockSubnet> networks() {
    return networks;
  }

  /** One object for all nodes whose sections say the same. */
  EniSpec shared(EniSpec spec) {
    if (specs.size() > SPECS_MAX) {
      specs.clear();
    }
    return specs.computeIfAbsent(spec, same -> same);
  }

  // ---- the tags that every interface of ours carries from birth

  Map<String, String> tags(InstanceId instance, String token) {
    return Map.of(CLUSTER_TAG, cluster, "tidemark.io/instance", instance.text(), TOKEN_TAG, token);
  }

  /** Whether we made the interface; what others made is never touched. */
  boolean owns(MockInterface each) {
    return cluster.equals(each.tags().get(CLUSTER_TAG)) && each.tags().containsKey(TOKEN_TAG);
  }

  static String token(MockInterface each) {
    return each.tags().getOrDefault(TOKEN_TAG, "");
  }
}
