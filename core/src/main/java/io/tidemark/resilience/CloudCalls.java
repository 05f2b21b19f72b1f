package io.tidemark.resilience;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Sends requests to one account and region of a cloud. Thread-safe; never blocks, never throws, its
 * stages never complete exceptionally.
 *
 * <p>The order, outermost first: deadline, retry with full-jitter back-off of requests that are
 * safe to repeat, circuit breaker, token (each attempt takes its own), attempt timeout, metrics.
 * {@link Poll} repeats a read until a long-running operation has ended.
 */
public interface CloudCalls {
  /**
   * Requests a token of the first kind that has one. The caller makes its plan again when the stage
   * completes and returns an unneeded token in the same turn.
   */
  Admission admit(List<CallKind> anyOf, CallContext context);

  /**
   * Sends one request. The first attempt uses the context's token if that is of {@code kind},
   * otherwise it queues for one. Completes by the context's deadline.
   */
  <T> CompletionStage<CallResult<T>> call(CallKind kind, CallContext context, Leaf<T> leaf);

  /**
   * Exactly one blocking request on the wire; honours interruption. The only code of a provider
   * that runs off the lane.
   *
   * @param <T> what it answers
   */
  @FunctionalInterface
  interface Leaf<T> {
    /** Sends the request and reads its response; the classifier gets what it throws. */
    T send(Attempt attempt) throws Exception;
  }

  /**
   * One sending of a request.
   *
   * @param number from 1
   * @param timeout how long to wait for the response
   * @param requestToken the same text for every attempt of one call, for clouds that recognise
   *     repetitions by it
   */
  record Attempt(int number, Duration timeout, String requestToken) {}
}
