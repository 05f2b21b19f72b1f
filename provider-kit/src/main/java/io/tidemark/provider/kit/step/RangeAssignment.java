package io.tidemark.provider.kit.step;

import static java.util.concurrent.CompletableFuture.completedStage;

import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AliasRangeOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Assigns alias ranges to instances (node-cidr AM28). A request with a lost response is not
 * repeated before a read, and until the horizon after it a refusal of the repetition proves
 * nothing: the first request can have had its effect. Thread-safe.
 */
public final class RangeAssignment {
  private final Cloud cloud;
  private final TimeSource time;
  private final long horizonNanos;

  /** When the response to each was lost. */
  private final ConcurrentHashMap<Attempt, Long> lost = new ConcurrentHashMap<>();

  private record Attempt(InstanceId instance, Cidr range) {}

  /** The meaning of a refusal for the range. */
  public enum Meaning {
    /** The instance has exactly this range. */
    ASSIGNED,
    /** Something has addresses of the range, possibly the instance itself. */
    HELD,
    /** It was refused for another reason, possibly because the instance has it. */
    DOUBTFUL,
    /** It was refused for another reason. */
    REFUSED
  }

  /** The provider's side. */
  public interface Cloud {
    CompletionStage<CallResult<InstanceId>> send(
        InstanceId instance, Cidr range, CallContext context);

    /** Reads the instance; whether it has the range. */
    CompletionStage<CallResult<Boolean>> shows(
        InstanceId instance, Cidr range, CallContext context);

    /** The range was added: it is in the cache from now on. */
    void added(InstanceId instance, Cidr range);

    /** The meaning of a refusal; never called with a lost response. */
    Meaning meaning(Failure refusal);
  }

  /**
   * Assignments over one cloud; nothing is sent yet.
   *
   * @param horizon how far a read of this cloud can lag behind
   */
  public RangeAssignment(Cloud cloud, TimeSource time, Duration horizon) {
    this.cloud = cloud;
    this.time = time;
    this.horizonNanos = horizon.toNanos();
  }

  /** As {@link io.tidemark.spi.NodeAliasRanges#add}. */
  public CompletionStage<AliasRangeOutcome> add(
      InstanceId instance, Cidr range, CallContext context) {
    return new Run(new Attempt(instance, range), context).start();
  }

  /** The instance is gone. */
  public void forget(InstanceId instance) {
    lost.keySet().removeIf(each -> each.instance().equals(instance));
  }

  private final class Run {
    private final Attempt attempt;
    private final CallContext context;
    private final long beganNanos = time.nanos();

    Run(Attempt attempt, CallContext context) {
      this.attempt = attempt;
      this.context = context;
    }

    CompletionStage<AliasRangeOutcome> start() {
      return lost.containsKey(attempt)
          ? shows()
              .thenCompose(
                  result ->
                      result.match(
                          shown ->
                              shown
                                  ? completedStage(has(new AliasRangeOutcome.AlreadyOurs()))
                                  : send(),
                          unread -> completedStage(new AliasRangeOutcome.Unknown(unread))))
          : send();
    }

    private CompletionStage<CallResult<Boolean>> shows() {
      return cloud.shows(attempt.instance(), attempt.range(), context);
    }

    private CompletionStage<AliasRangeOutcome> send() {
      return cloud
          .send(attempt.instance(), attempt.range(), context)
          .thenCompose(
              result ->
                  result.match(
                      id -> completedStage(has(new AliasRangeOutcome.Added())), this::failed));
    }

    private AliasRangeOutcome has(AliasRangeOutcome outcome) {
      lost.remove(attempt);
      cloud.added(attempt.instance(), attempt.range());
      return outcome;
    }

    private CompletionStage<AliasRangeOutcome> failed(Failure failure) {
      if (failure.kind() == Failure.Kind.LOST) {
        lost.put(attempt, time.nanos());
        AliasRangeOutcome unknown = new AliasRangeOutcome.Unknown(failure);
        return shows()
            .thenApply(
                result ->
                    result.match(
                        shown -> shown ? has(new AliasRangeOutcome.Added()) : unknown,
                        unread -> unknown));
      }
      return switch (cloud.meaning(failure)) {
        case ASSIGNED -> completedStage(has(new AliasRangeOutcome.AlreadyOurs()));
        case HELD -> unlessShown(failure, new AliasRangeOutcome.Taken(failure.detail()));
        case DOUBTFUL -> unlessShown(failure, new AliasRangeOutcome.Refused(failure));
        case REFUSED -> completedStage(ended(failure, new AliasRangeOutcome.Refused(failure)));
      };
    }

    private CompletionStage<AliasRangeOutcome> unlessShown(
        Failure failure, AliasRangeOutcome otherwise) {
      return shows()
          .thenApply(
              result ->
                  result.match(
                      shown ->
                          shown
                              ? has(new AliasRangeOutcome.AlreadyOurs())
                              : ended(failure, otherwise),
                      unread -> ended(unread, new AliasRangeOutcome.Refused(unread))));
    }

    /** Unknown while an earlier request can have had its effect. */
    private AliasRangeOutcome ended(Failure failure, AliasRangeOutcome definite) {
      Long since = lost.get(attempt);
      if (since != null
          && failure.kind() != Failure.Kind.NOT_FOUND
          && beganNanos - since < horizonNanos) {
        return new AliasRangeOutcome.Unknown(failure);
      }
      lost.remove(attempt);
      return definite;
    }
  }
}
