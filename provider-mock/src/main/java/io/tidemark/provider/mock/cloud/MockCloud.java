package io.tidemark.provider.mock.cloud;

import io.tidemark.provider.mock.cloud.CloudException.Code;
import io.tidemark.resilience.CallKind;
import io.tidemark.spi.InterfaceId;
import io.tidemark.time.NeverAnswers;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * One account of a cloud, in memory. Every {@link #request} passes one door: it takes a token of
 * its operation's bucket, may be throttled, refused, lost or hang as the {@link FaultPlan} says,
 * and reads may lag; {@link MockRequests} has what can be asked for. The account's owner acts on
 * its {@link #state}, and finds the truth there. Thread-safe: short locks, never held while foreign
 * code runs. A request about one instance costs no more in a large account.
 */
public final class MockCloud {
  private final TimeSource time;
  private final CloudSettings settings;
  private final CloudState state;
  private final Map<CloudOperation, Bucket> buckets = new EnumMap<>(CloudOperation.class);

  /** The tokens of one operation, and how its requests fared. */
  private static final class Bucket {
    double tokens = Double.MAX_VALUE;
    long refilledAtNanos;
    long calls;
    long throttled;
  }

  /** An empty account. */
  public MockCloud(CloudSettings settings, TimeSource time) {
    this.settings = settings;
    this.time = time;
    this.state = new CloudState(time, settings.stalenessMax().toNanos());
  }

  /** How it behaves. */
  public CloudSettings settings() {
    return settings;
  }

  /** Subnets, instances and interfaces as they are now. */
  public CloudState state() {
    return state;
  }

  /** One request: reads or changes the account, which is locked. */
  @FunctionalInterface
  public interface Request<T> {
    T serve(MockRequests cloud) throws CloudException;
  }

  /**
   * Sends one request.
   *
   * @param subject the instance concerned if known, else interface or subnet; empty for listings
   * @throws IOException when no answer came; the request may have taken effect
   */
  public <T> T request(CloudOperation operation, String subject, Request<T> request)
      throws CloudException, IOException {
    arrive(operation);
    FaultPlan.Fault fault = settings.faults().faultOf(operation, subject);
    String text = operation.wire() + " of " + subject;
    switch (fault.kind()) {
      case REFUSE -> throw new CloudException(fault.code(), "scripted");
      case LOST_REQUEST -> throw new IOException("connection reset before " + text);
      case HANG -> throw new NeverAnswers(text);
      default -> {}
    }
    boolean reads = operation.kind().effect() == CallKind.Effect.READ;
    Duration lag = reads ? settings.faults().lag() : Duration.ZERO;
    T answer;
    synchronized (state) {
      strike(subject, fault.kind());
      long asOfNanos = time.nanos() - lag.toNanos();
      answer = request.serve(new MockRequests(state, settings, asOfNanos, fault.atMost()));
    }
    switch (fault.kind()) {
      case LOST -> throw new IOException("connection reset after " + text);
      case HANG_DONE -> throw new NeverAnswers(text);
      default -> {
        return answer;
      }
    }
  }

  private void arrive(CloudOperation operation) throws CloudException {
    synchronized (buckets) {
      Bucket bucket = refilled(operation);
      bucket.calls++;
      if (settings.bucketScale() > 0 && bucket.tokens < 1) {
        bucket.throttled++;
        throw new CloudException(Code.REQUEST_LIMIT_EXCEEDED, "Request limit exceeded.");
      }
      bucket.tokens--;
    }
  }

  private Bucket refilled(CloudOperation operation) {
    Bucket bucket = buckets.computeIfAbsent(operation, full -> new Bucket());
    long now = time.nanos();
    double scale = settings.bucketScale();
    double refill = (now - bucket.refilledAtNanos) / 1e9 * operation.refillPerSecond() * scale;
    bucket.tokens = Math.min(Math.max(1, operation.bucketSize() * scale), bucket.tokens + refill);
    bucket.refilledAtNanos = now;
    return bucket;
  }

  private void strike(String subject, FaultPlan.Kind kind) {
    if (kind == FaultPlan.Kind.TERMINATED || kind == FaultPlan.Kind.STOPPED) {
      String instanceId =
          state.find(new InterfaceId(subject)).map(MockInterface::instanceId).orElse(subject);
      if (kind == FaultPlan.Kind.TERMINATED) {
        state.terminate(instanceId);
      } else {
        state.running(instanceId, false);
      }
    }
  }

  /** Requests per operation that reached the cloud, throttled ones included. */
  public SortedMap<CloudOperation, Long> calls() {
    return counts(bucket -> bucket.calls);
  }

  /** Requests per operation that found the bucket empty. */
  public SortedMap<CloudOperation, Long> throttled() {
    return counts(bucket -> bucket.throttled);
  }

  private SortedMap<CloudOperation, Long> counts(ToLongFunction<Bucket> count) {
    synchronized (buckets) {
      SortedMap<CloudOperation, Long> counts = new TreeMap<>();
      buckets.forEach((operation, bucket) -> counts.put(operation, count.applyAsLong(bucket)));
      counts.values().removeIf(none -> none == 0);
      return counts;
    }
  }

  /** Others of the account use tokens of an operation's bucket. */
  public void drainBucket(CloudOperation operation, double tokens) {
    synchronized (buckets) {
      Bucket bucket = refilled(operation);
      bucket.tokens = Math.max(0, bucket.tokens - tokens);
    }
  }
}
