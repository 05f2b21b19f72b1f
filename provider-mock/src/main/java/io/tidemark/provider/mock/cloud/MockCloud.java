package io.tidemark.provider.mock.cloud;

import io.tidemark.resilience.CallKind;
import io.tidemark.spi.InterfaceId;
import io.tidemark.time.NeverAnswers;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * One account of a cloud, in memory. Every {@link #request} passes one door: it takes a token of
 * its operation's bucket, may be throttled, refused, lost or hang as the {@link FaultPlan} says,
 * and reads may lag; {@link MockRequests} has what can be asked for. The account's owner acts
 * through {@link #setup()}; checks and reports look at the truth through the methods at the end.
 *
 * <p>Thread-safe: one short lock, never held while foreign code runs. Requests that read or change
 * one instance cost no more than its interfaces do, whatever the size of the account.
 */
public final class MockCloud {
  private final TimeSource time;
  private final CloudSettings settings;
  private final Object lock = new Object();
  private final CloudState state;
  private final Map<CloudOperation, Bucket> buckets = new EnumMap<>(CloudOperation.class);
  private final SortedMap<CloudOperation, Long> calls = new TreeMap<>();
  private final SortedMap<CloudOperation, Long> throttled = new TreeMap<>();

  /** The tokens of one operation. */
  private static final class Bucket {
    private double tokens;
    private long refilledAtNanos;

    Bucket(double tokens, long nowNanos) {
      this.tokens = tokens;
      this.refilledAtNanos = nowNanos;
    }
  }

  /** An empty account. */
  public MockCloud(CloudSettings settings, TimeSource time) {
    this.settings = settings;
    this.time = time;
    this.state = new CloudState(settings.stalenessMax().toNanos());
    for (CloudOperation each : CloudOperation.values()) {
      buckets.put(each, new Bucket(size(each), time.nanos()));
    }
  }

  /** How it behaves. */
  public CloudSettings settings() {
    return settings;
  }

  /** Networks, instances and public addresses. */
  public CloudSetup setup() {
    return new CloudSetup(this);
  }

  /** One request, served while the account is locked. */
  @FunctionalInterface
  public interface Request<T> {
    /** Reads or changes the account. */
    T serve(MockRequests cloud) throws CloudException;
  }

  /**
   * Sends one request.
   *
   * @param subject the instance concerned if known, else the interface or subnet; empty for
   *     listings
   * @throws IOException when no answer came; the request may have taken effect
   */
  public <T> T request(CloudOperation operation, String subject, Request<T> request)
      throws CloudException, IOException {
    arrive(operation);
    MockFault fault = settings.faults().faultOf(operation, subject);
    String text = operation.wire() + " of " + subject;
    switch (fault.kind()) {
      case REFUSE -> throw new CloudException(fault.code(), "scripted");
      case LOST_REQUEST -> throw new IOException("connection reset before " + text);
      case HANG -> throw new NeverAnswers(text);
      default -> {}
    }
    boolean reads = operation.kind().effect() == CallKind.Effect.READ;
    long lagNanos = reads ? settings.faults().lag().toNanos() : 0;
    long boundedLag = Math.min(lagNanos, settings.stalenessMax().toNanos());
    T answer;
    synchronized (lock) {
      state.advance(time.nanos());
      strike(subject, fault.kind());
      answer =
          request.serve(
              new MockRequests(state, settings, state.nowNanos() - boundedLag, fault.atMost()));
    }
    switch (fault.kind()) {
      case LOST -> throw new IOException("connection reset after " + text);
      case HANG_DONE -> throw new NeverAnswers(text);
      default -> {}
    }
    return answer;
  }

  private void arrive(CloudOperation operation) throws CloudException {
    synchronized (lock) {
      calls.merge(operation, 1L, Long::sum);
      Bucket bucket = refilled(operation);
      if (settings.bucketScale() > 0 && bucket.tokens < 1) {
        throttled.merge(operation, 1L, Long::sum);
        throw new CloudException(CloudErrorCode.REQUEST_LIMIT_EXCEEDED, "Request limit exceeded.");
      }
      bucket.tokens--;
    }
  }

  private double size(CloudOperation operation) {
    return Math.max(1, operation.bucketSize() * settings.bucketScale());
  }

  @SuppressWarnings("NullAway") // every operation has a bucket
  private Bucket refilled(CloudOperation operation) {
    Bucket bucket = buckets.get(operation);
    long now = time.nanos();
    double seconds = (now - bucket.refilledAtNanos) / 1e9;
    double refill = seconds * operation.refillPerSecond() * settings.bucketScale();
    bucket.tokens = Math.min(size(operation), bucket.tokens + refill);
    bucket.refilledAtNanos = now;
    return bucket;
  }

  private void strike(String subject, MockFault.Kind kind) {
    if (kind == MockFault.Kind.TERMINATED || kind == MockFault.Kind.STOPPED) {
      String instanceId =
          state.find(new InterfaceId(subject)).map(MockInterface::instanceId).orElse(subject);
      if (kind == MockFault.Kind.TERMINATED) {
        state.terminate(instanceId);
      } else {
        state.running(instanceId, false);
      }
    }
  }

  // ---- the truth, for checks and reports

  /** One interface as it is now. */
  public Optional<MockInterface> networkInterface(InterfaceId id) {
    return change(state -> state.find(id));
  }

  /** The interfaces of an instance now, in order of attachment; of none those of nobody. */
  public List<MockInterface> attachedTo(String instanceId) {
    return change(state -> state.attachedTo(instanceId));
  }

  /** All interfaces as they are now. */
  public List<MockInterface> all() {
    return change(state -> state.all(state.nowNanos()));
  }

  /** Whether the instance exists; empty when not, else whether it runs. */
  public Optional<Boolean> isRunning(String instanceId) {
    return change(
        state ->
            Optional.ofNullable(state.instances.get(instanceId)).map(CloudState.Instance::running));
  }

  /** One subnet with its free space now. */
  public MockSubnet.Room subnet(String subnetId) {
    return change(state -> Objects.requireNonNull(state.subnets.get(subnetId)).room());
  }

  /** Requests per operation that reached the cloud, throttled ones included. */
  public SortedMap<CloudOperation, Long> calls() {
    return change(state -> new TreeMap<>(calls));
  }

  /** Requests per operation that found the bucket empty. */
  public SortedMap<CloudOperation, Long> throttled() {
    return change(state -> new TreeMap<>(throttled));
  }

  /**
   * Calls the listener with each interface before and after each change, under the account's lock;
   * empty for one that does not exist.
   */
  public void observe(BiConsumer<Optional<MockInterface>, Optional<MockInterface>> listener) {
    synchronized (lock) {
      state.observe(listener);
    }
  }

  /** Others of the account use tokens of an operation's bucket. */
  public void drainBucket(CloudOperation operation, double tokens) {
    synchronized (lock) {
      Bucket bucket = refilled(operation);
      bucket.tokens = Math.max(0, bucket.tokens - tokens);
    }
  }

  /** Looks at the account or changes it as its owner. */
  <T> T change(Function<CloudState, T> what) {
    synchronized (lock) {
      state.advance(time.nanos());
      return what.apply(state);
    }
  }
}
