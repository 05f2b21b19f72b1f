package io.tidemark.provider.azure.identity;

import io.tidemark.provider.kit.InTime;
import io.tidemark.provider.kit.SharedWork;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The access token of one principal (Z47). A token is renewed five minutes before it ends, by one
 * request for all who wait; the old one is used meanwhile. Thread-safe; never blocks.
 */
public final class AccessTokens {
  /** A request for a token. */
  public static final CallKind KIND = new CallKind("Identity.Token", CallKind.Effect.READ);

  private static final Duration EARLY = Duration.ofMinutes(5);
  private static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final CloudCalls calls;
  private final TaskScheduler scheduler;
  private final Source source;
  private final Cancellation shutdown;
  private final Object lock = new Object();
  private volatile Token token = new Token("", 0);
  private final SharedWork<Token> renewal = new SharedWork<>(this::renewed);

  /** Asks the authority for a token: one blocking request. */
  @FunctionalInterface
  public interface Source {
    /** A new token; the classifier of {@link #policy} reads what it throws. */
    Token fetch() throws Exception;
  }

  /**
   * A token.
   *
   * @param endMillis wall time of its end
   */
  public record Token(String text, long endMillis) {
    /** Without the text, which is a secret. */
    @Override
    public String toString() {
      return "a token until " + endMillis;
    }
  }

  /**
   * Tokens that were not asked for yet.
   *
   * @param calls made of {@link #policy}
   */
  public AccessTokens(
      CloudCalls calls, TaskScheduler scheduler, Source source, Cancellation shutdown) {
    this.calls = calls;
    this.scheduler = scheduler;
    this.source = source;
    this.shutdown = shutdown;
  }

  /** The call policy of an authority: an account of its own, so that its breaker is its own. */
  public static CallPolicy policy(String account) {
    return new CallPolicy(
        account,
        Map.of(KIND, new CallLimits(1, 10, ATTEMPT_TIMEOUT, 3)),
        new TokenErrorClassifier());
  }

  /** The token that requests carry now; empty text when there is none yet. */
  public String now() {
    return token.text();
  }

  /** Azure refused this token: it is not used again. */
  public void refused(String text) {
    synchronized (lock) {
      if (token.text().equals(text)) {
        token = new Token("", 0);
      }
    }
  }

  /** A valid token; ends by the context's deadline, and never exceptionally. */
  public CompletionStage<CallResult<Token>> current(CallContext context) {
    CompletionStage<CallResult<Token>> renewed =
        renewal.join(() -> Optional.of(token).filter(known -> isValid(known, EARLY)));
    Token now = token;
    return isValid(now, Duration.ZERO)
        ? CallResult.answered(now)
        : InTime.or(
            renewed,
            context.deadlineNanos(),
            scheduler,
            () ->
                new CallResult.Failed<>(
                    Failure.of(
                        Failure.Kind.TRANSIENT,
                        "deadlinePassed",
                        "there was no access token by the deadline")));
  }

  private boolean isValid(Token known, Duration left) {
    return !known.text().isEmpty()
        && known.endMillis() - scheduler.time().epochMillis() > left.toMillis();
  }

  private CompletionStage<CallResult<Token>> renewed() {
    CallContext context =
        CallContext.within(PATIENCE, scheduler.time(), "", Priority.Rank.REPAIR, shutdown);
    return calls
        .call(KIND, context, attempt -> source.fetch())
        .thenApply(
            result -> {
              synchronized (lock) {
                result.answer().ifPresent(fresh -> token = fresh);
              }
              return result;
            });
  }
}
