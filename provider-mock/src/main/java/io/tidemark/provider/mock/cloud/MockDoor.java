package io.tidemark.provider.mock.cloud;

import io.tidemark.resilience.CallKind;
import io.tidemark.spi.InterfaceId;
import io.tidemark.time.NeverAnswers;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The way of every request into the cloud and back: counts, request buckets, the faults of the
 * plan, and reads that lag. The account's lock is held while a request is served, and not while the
 * plan is asked.
 */
final class MockDoor {
  private final Object lock;
  private final CloudState state;
  private final CloudSettings settings;
  private final TimeSource time;
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

  MockDoor(Object lock, CloudState state, CloudSettings settings, TimeSource time) {
    this.lock = lock;
    this.state = state;
    this.settings = settings;
    this.time = time;
    for (CloudOperation each : CloudOperation.values()) {
      buckets.put(each, new Bucket(size(each), time.nanos()));
    }
  }

  private double size(CloudOperation operation) {
    return Math.max(1, operation.bucketSize() * settings.bucketScale());
  }

  /** Requests so far, and those of them that found the bucket empty; under the lock. */
  SortedMap<CloudOperation, Long> calls(boolean onlyThrottled) {
    return new TreeMap<>(onlyThrottled ? throttled : calls);
  }

  /** Others of the account use tokens; under the lock. */
  void drainBucket(CloudOperation operation, double amount) {
    Bucket bucket = refilled(operation);
    bucket.tokens = Math.max(0, bucket.tokens - amount);
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

  /** Lets a request pass. */
  <T> T pass(CloudOperation operation, String subject, MockCloud.Request<T> request)
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
}
