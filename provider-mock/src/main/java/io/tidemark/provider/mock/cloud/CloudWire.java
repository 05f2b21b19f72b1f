package io.tidemark.provider.mock.cloud;

import io.tidemark.provider.mock.cloud.NetworkInterface.Attachment;
import io.tidemark.time.NeverAnswers;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.util.SortedMap;

/**
 * The fate of a request on its way to the cloud and back: counts, token buckets, the faults of the
 * plan, and reads that lag. The account's lock is held while a request is served, and not while the
 * plan is asked.
 */
final class CloudWire {
  private final Object lock;
  private final CloudState state;
  private final InterfaceRules rules;
  private final CloudSettings settings;
  private final TimeSource time;
  private final TokenBuckets buckets;
  private final OperationCounts calls = new OperationCounts();
  private final OperationCounts throttled = new OperationCounts();

  /** The effect of a request when it is served; {@code atMost} bounds a partial effect. */
  @FunctionalInterface
  interface Service<T> {
    T serve(int atMost) throws CloudException;
  }

  /** The answer of a read as of an instant. */
  @FunctionalInterface
  interface Reading<T> {
    T asOf(long nanos) throws CloudException;
  }

  CloudWire(
      Object lock,
      CloudState state,
      InterfaceRules rules,
      CloudSettings settings,
      TimeSource time) {
    this.lock = lock;
    this.state = state;
    this.rules = rules;
    this.settings = settings;
    this.time = time;
    this.buckets = new TokenBuckets(settings.bucketScale(), time.nanos());
  }

  /** Requests so far; under the lock. */
  SortedMap<CloudOperation, Long> calls() {
    return calls.copy();
  }

  /** Requests so far that found the bucket empty; under the lock. */
  SortedMap<CloudOperation, Long> throttled() {
    return throttled.copy();
  }

  /** Others use tokens; under the lock. */
  void drainBucket(CloudOperation operation, double tokens) {
    buckets.drain(operation, tokens, time.nanos());
  }

  /** A request that reads, as of an instant that may lie behind. */
  <T> T read(CloudOperation operation, String subject, Reading<T> reading)
      throws CloudException, IOException {
    CloudCall call = arrive(operation, subject);
    long lagNanos = settings.faults().lagOf(call).toNanos();
    long boundedLag = Math.min(lagNanos, settings.stalenessMax().toNanos());
    return answer(call, atMost -> reading.asOf(state.nowNanos() - boundedLag));
  }

  /** A request that changes something. */
  <T> T serve(CloudOperation operation, String subject, Service<T> service)
      throws CloudException, IOException {
    return answer(arrive(operation, subject), service);
  }

  private CloudCall arrive(CloudOperation operation, String subject) throws CloudException {
    synchronized (lock) {
      long nanos = time.nanos();
      state.advance(nanos);
      CloudCall call = new CloudCall(operation, subject, calls.count(operation));
      if (!buckets.take(operation, nanos)) {
        throttled.count(operation);
        throw new CloudException(CloudErrorCode.REQUEST_LIMIT_EXCEEDED, "Request limit exceeded.");
      }
      return call;
    }
  }

  private <T> T answer(CloudCall call, Service<T> service) throws CloudException, IOException {
    Fault fault = settings.faults().faultOf(call);
    if (fault instanceof Fault.Refuse refuse) {
      throw new CloudException(refuse.code(), refuse.text());
    }
    if (fault instanceof Fault.LoseAnswer lose && !lose.effectDone()) {
      throw new AnswerLost(call.operation());
    }
    if (fault instanceof Fault.Hang hang && !hang.effectDone()) {
      throw new NeverAnswers(call.operation().wire() + " of " + call.subject());
    }
    T answer;
    synchronized (lock) {
      state.advance(time.nanos());
      if (fault instanceof Fault.StopInstance || fault instanceof Fault.TerminateInstance) {
        strike(call.subject(), fault);
      }
      answer =
          service.serve(fault instanceof Fault.Partial part ? part.atMost() : Integer.MAX_VALUE);
    }
    if (fault instanceof Fault.LoseAnswer) {
      throw new AnswerLost(call.operation());
    }
    if (fault instanceof Fault.Hang) {
      throw new NeverAnswers(call.operation().wire() + " of " + call.subject());
    }
    return answer;
  }

  private void strike(String subject, Fault fault) {
    String instanceId =
        state
            .findInterface(subject)
            .flatMap(NetworkInterface::attachment)
            .map(Attachment::instanceId)
            .orElse(subject);
    if (fault instanceof Fault.TerminateInstance) {
      rules.terminate(instanceId);
    } else {
      state
          .findInstance(instanceId)
          .filter(instance -> instance.state() == Instance.State.RUNNING)
          .ifPresent(instance -> state.put(instance.in(Instance.State.STOPPED)));
    }
  }
}
